import { expect, test } from 'vitest';
import {
  findNearestNodeIndexOrNull,
  findNodeIndexes,
  layOutToolSpace,
  nodeIndexAfterKeyOrNull,
} from '../../../web/charts/tool-space-layout.ts';

const transition = (from: string, to: string, executed: number) => ({
  from,
  to,
  executed,
  expected: 1,
  valuePassed: 0,
});

test('all tools lie on the circle, those of a server side by side', () => {
  const { nodes, arcs } = layOutToolSpace(['b/1', 'a/1', 'b/2', 'a/2'], []);
  expect(nodes.map(({ tool }) => tool)).toEqual(['a/1', 'a/2', 'b/1', 'b/2']);
  for (const { x, y } of nodes) expect(Math.hypot(x, y)).toBeCloseTo(1);
  expect(arcs.map(({ server }) => server)).toEqual(['a', 'b']);
  expect(arcs[0]?.to).toBeLessThan(arcs[1]?.from ?? 0);
});

test('a transition connects the places of its tools, and both count its executions', () => {
  const { nodes, edges } = layOutToolSpace(['a/1', 'a/2'], [transition('a/2', 'a/1', 3), transition('a/1', 'a/1', 2)]);
  expect(edges.map(({ from, to }) => [nodes[from]?.tool, nodes[to]?.tool])).toEqual([
    ['a/2', 'a/1'],
    ['a/1', 'a/1'],
  ]);
  expect(nodes.map(({ executed }) => executed)).toEqual([5, 3]);
});

test('a tool that only a transition names has a place', () => {
  expect(layOutToolSpace([], [transition('a/1', 'b/1', 1)]).nodes).toHaveLength(2);
});

test('the nearest tool within reach is found', () => {
  const { nodes } = layOutToolSpace(['a/1', 'a/2', 'a/3'], []);
  const second = nodes[1];
  if (second === undefined) throw new Error('there is no second tool');
  expect(findNearestNodeIndexOrNull(nodes, second.x + 0.01, second.y, 0.1)).toBe(1);
  expect(findNearestNodeIndexOrNull(nodes, 0, 0, 0.1)).toBeNull();
});

test('arrow keys go around the circle, Home and End to its ends, and other keys nowhere', () => {
  const after = (key: string, pointed: number | null): number | null => nodeIndexAfterKeyOrNull(key, pointed, 3);
  expect([after('ArrowRight', null), after('ArrowRight', 1), after('ArrowDown', 2)]).toEqual([0, 2, 0]);
  expect([after('ArrowLeft', null), after('ArrowLeft', 0), after('ArrowUp', 2)]).toEqual([2, 2, 1]);
  expect([after('Home', 2), after('End', 0)]).toEqual([0, 2]);
  expect([after('Tab', 1), nodeIndexAfterKeyOrNull('ArrowRight', null, 0)]).toEqual([null, null]);
});

test('a search finds tools by a part of their names, and none without words', () => {
  const { nodes } = layOutToolSpace(['a/Add', 'a/list', 'b/add'], []);
  expect([...findNodeIndexes(nodes, ' ADD ')]).toEqual([0, 2]);
  expect(findNodeIndexes(nodes, ' ').size).toBe(0);
});
