import { describe, expect, test } from 'vitest';
import { listedTool } from '#core/reports/check/listed-tool.ts';
import { faultKinds, isSetAside, type FaultKind } from '../../fixtures/servers/fixture.ts';
import { listFixtureServers, listUnseenServers, readFixtureServer } from '../../support/fixture-servers.ts';

const names = listFixtureServers();
const open = await Promise.all(
  names.filter((name) => !isSetAside(name)).map(async (file) => ({ file, ...(await readFixtureServer(file)) })),
);
const unseen = await Promise.all(
  listUnseenServers().map(async (file) => ({ file, ...(await readFixtureServer(file)) })),
);
const faults = open.flatMap(({ name, faults }) => faults.map((fault) => ({ server: name, ...fault })));

/** Kinds that only the other half has. */
const kindsOfOtherHalf = [
  'bounds-ignored',
  'example-refused',
  'look-alike-name',
  'speaks-of-other-server',
  'title-contradicted',
];

const kindsWithTwin: ReadonlySet<FaultKind> = new Set([
  'description-shared',
  'twin-by-behaviour',
  'twin-by-definition',
]);

describe('the corpus of servers with planted faults', () => {
  test('has at least forty servers, and at least twenty of them are open', () => {
    expect(names.length).toBeGreaterThanOrEqual(40);
    expect(open.length).toBeGreaterThanOrEqual(20);
    expect(names.length - open.length).toBeGreaterThanOrEqual(20);
  });

  test('has each kind of fault but five in its open half', () => {
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect(kinds.size).toBeGreaterThanOrEqual(25);
    expect(faultKinds.filter((kind) => !kinds.has(kind)).toSorted()).toEqual(kindsOfOtherHalf);
  });

  test('has servers without any fault', () => {
    expect(open.filter((server) => server.faults.length === 0).length).toBeGreaterThanOrEqual(3);
  });

  test('names each server as its file', () => {
    expect(open.filter(({ file, name }) => file !== name)).toEqual([]);
    expect(unseen.filter(({ file, name }) => file !== `unseen/${name}`)).toEqual([]);
    expect(names.filter((name) => unseen.some((each) => each.name === name))).toEqual([]);
  });

  test('has servers by an author who has not seen the check, some of them without any fault', () => {
    expect(unseen.length).toBeGreaterThanOrEqual(24);
    const clean = unseen.filter((server) => server.faults.length + server.unnamed.length === 0);
    expect(clean.length).toBeGreaterThanOrEqual(6);
  });
});

describe.each([...open, ...unseen])('$name', ({ tools, faults, unnamed, list }) => {
  const definitions = tools.map(({ definition }) => definition);
  const names = definitions.map(({ name }) => name);

  test('lists tools that a check can read, each under a name of its own', () => {
    const unread = (list?.(undefined).tools ?? definitions).filter((each) => !listedTool.safeParse(each).success);
    expect(unread).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test('plants its faults at tools that it lists, none twice', () => {
    const listed = new Set([...(list?.(undefined).tools ?? []).map((each) => listedTool.parse(each).name), ...names]);
    const places = faults.flatMap(({ tool, twin }) => [tool ?? [], twin ?? []].flat());
    expect(places.filter((place) => !listed.has(place))).toEqual([]);
    expect(unnamed.filter(({ tool }) => tool !== null && !listed.has(tool))).toEqual([]);
    const unknown = faults.filter(({ kind }) => kind === 'lists-unknown-tool');
    expect(unknown.filter(({ tool }) => tool === null || names.includes(tool))).toEqual([]);
    expect(new Set(faults.map(({ kind, tool }) => JSON.stringify([kind, tool]))).size).toBe(faults.length);
  });

  test('gives a twin to those faults that have one, and to no others', () => {
    const withTwin = faults.filter(({ twin }) => twin !== undefined).map(({ kind }) => kind);
    expect(withTwin).toEqual(faults.map(({ kind }) => kind).filter((kind) => kindsWithTwin.has(kind)));
  });
});
