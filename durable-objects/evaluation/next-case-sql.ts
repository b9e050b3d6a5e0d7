/** Whether the unit of a row of `cases` belongs to the private split. */
const privateUnitCondition = (cases: string): string =>
  `EXISTS (SELECT 1 FROM units WHERE units.id = ${cases}.unit AND json_extract(units.json, '$.split') = 'private')`;

/** Whether a case is at an attempt for which one of the servers in a JSON list is expected to be called: 0 or 1. */
const isRestingSql = `(json_extract(waiting.json, '$.stage.kind') = 'attempt' AND EXISTS (
  SELECT 1 FROM units, json_each(units.json, '$.chain') AS tool, json_each(?) AS resting
  WHERE units.id = waiting.unit AND instr(tool.value, resting.value || '/') = 1))`;

/** How many waiting cases are looked at for one whose servers do not rest. */
const lookedAt = 500;

/** The order in which units are taken, with all cases of a unit together. */
const inOrder = 'ORDER BY place, id';

/** The cases that a lane could take, in their order. Binds the most that it returns. */
export const laneCasesSql = `SELECT id FROM cases WHERE waits = 'lane' ${inOrder} LIMIT ?`;

/** The next case for a lane; those at resting servers come last. Binds a JSON list of these. */
export const nextLaneCaseSql = `SELECT id FROM (SELECT id, unit, place, json FROM cases WHERE waits = 'lane' ${inOrder} LIMIT ${lookedAt}) AS waiting
  ORDER BY ${isRestingSql}, place, id LIMIT 1`;

/**
 * The next case that a client could claim for an agent; those at resting servers come last. With `privateOneByOne` no private
 * unit while another one is claimed. Binds the agent and a JSON list of resting servers.
 */
export const nextClientCaseSql = (privateOneByOne: boolean, isAnyResting: boolean): string => {
  const held = privateOneByOne
    ? `AND (NOT EXISTS (SELECT 1 FROM cases AS taken WHERE taken.waits = 'claimed' AND ${privateUnitCondition('taken')}) OR NOT ${privateUnitCondition('cases')})`
    : '';
  return `SELECT id FROM (SELECT id, unit, place, json FROM cases WHERE waits = 'client' AND agent = ? ${held}
      ${inOrder} LIMIT ${isAnyResting ? lookedAt : 1}) AS waiting
    ORDER BY ${isRestingSql}, place, id LIMIT 1`;
};
