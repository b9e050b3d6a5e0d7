import { expect, test } from 'vitest';
import { pictureSvgText, toolSpaceSvgElements } from '../../../web/charts/picture.ts';
import { layOutToolSpace } from '../../../web/charts/tool-space-layout.ts';

const colors = {
  ink: '#111',
  paper: '#fff',
  faint: '#666',
  line: '#ddd',
  executed: '#00f',
  valuePassed: '#080',
};
const transition = (from: string, to: string, executed: number, valuePassed = 0) => ({
  from,
  to,
  executed,
  expected: 1,
  valuePassed,
});

test('a picture has its title, its drawing and a line of its legend for each name', () => {
  const svg = pictureSvgText({
    title: 'Transitions',
    width: 100,
    height: 50,
    drawing: '<path d="M0 0"/>',
    legend: [{ name: 'executed', color: '#00f' }],
    colors,
  });
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
  expect(svg).toContain('<title>Transitions</title>');
  expect(svg).toContain('<path d="M0 0"/>');
  expect(svg).toMatch(/fill="#00f"\/><text [^>]*>executed<\/text>/);
});

test('names from outside stay text in a picture', () => {
  const name = '</text><script>alert(1)</script>\u0007\u202e';
  const legend = [{ name, color: '#00f' }];
  const svg = pictureSvgText({ title: name, width: 1, height: 1, drawing: '', legend, colors });
  expect(svg).not.toContain('<script');
  for (const hidden of ['\u0007', '\u202e']) expect(svg).not.toContain(hidden);
  const { nodes, arcs, edges } = layOutToolSpace(['<b>&/tool'], []);
  expect(toolSpaceSvgElements({ space: { nodes, arcs, edges }, colors, size: 400, marked: new Set() })).toContain(
    '>&lt;b&gt;&amp;</text>',
  );
});

test('the tool space has a circle for each tool, a name for each server, and a curve for each transition in the colour of its kind', () => {
  const space = layOutToolSpace(
    ['a/1', 'a/2', 'b/1'],
    [
      transition('a/1', 'a/2', 3),
      transition('a/2', 'b/1', 2, 1),
      transition('b/1', 'a/1', 0),
      transition('a/1', 'b/1', 3),
    ],
  );
  const drawn = toolSpaceSvgElements({ space, colors, size: 400, marked: new Set() });
  expect(drawn.match(/<circle /g)).toHaveLength(3);
  expect(drawn.match(/<text /g)).toHaveLength(2);
  const curvesByColor = [...drawn.matchAll(/<path d="([^"]*)" fill="none" stroke="([^"]*)"/g)].map(
    ([, path = '', color = '']) => [color, path.split('Q').length - 1],
  );
  expect(curvesByColor).toEqual([
    ['#00f', 2],
    ['#080', 1],
    ['#ddd', 1],
  ]);
});

test('a tool that stands out has its transitions drawn again over the faded ones', () => {
  const space = layOutToolSpace(['a/1', 'a/2', 'b/1'], [transition('a/1', 'a/2', 3), transition('b/1', 'a/2', 3)]);
  const marked = new Set([space.nodes.findIndex(({ tool }) => tool === 'b/1')]);
  const drawn = toolSpaceSvgElements({ space, colors, size: 400, marked });
  expect(drawn).toContain('<g opacity="0.2">');
  expect(drawn.match(/<path /g)).toHaveLength(2);
  expect(drawn.match(/fill="#111"/g)).toHaveLength(1);
});
