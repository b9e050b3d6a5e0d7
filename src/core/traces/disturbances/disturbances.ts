import { z } from 'zod';
import { descriptionInstruction } from './attacks/description-instruction.ts';
import { errorInstruction } from './attacks/error-instruction.ts';
import { hiddenCharacters } from './attacks/hidden-characters.ts';
import { posingSystem } from './attacks/posing-system.ts';
import { posingUser } from './attacks/posing-user.ts';
import { resourceInstruction } from './attacks/resource-instruction.ts';
import { resultInstruction } from './attacks/result-instruction.ts';
import { secretRequest } from './attacks/secret-request.ts';
import { shadowName } from './attacks/shadow-name.ts';
import { shadowPraise } from './attacks/shadow-praise.ts';
import type { Disturbance } from './disturbance.ts';
import { busy } from './faults/busy.ts';
import { cutConnection } from './faults/cut-connection.ts';
import { empty } from './faults/empty.ts';
import { hiddenError } from './faults/hidden-error.ts';
import { malformed } from './faults/malformed.ts';
import { schemaChanged } from './faults/schema-changed.ts';
import { serverError } from './faults/server-error.ts';
import { slow } from './faults/slow.ts';
import { staleDate } from './faults/stale-date.ts';
import { timeout } from './faults/timeout.ts';
import { toolGone } from './faults/tool-gone.ts';
import { truncated } from './faults/truncated.ts';
import { wrongId } from './faults/wrong-id.ts';
import { wrongNumber } from './faults/wrong-number.ts';
import { wrongUnit } from './faults/wrong-unit.ts';

/** All kinds, in display order. This is their only list. New ones are appended to their group, because stored figures refer to positions. */
const faults = [
  timeout,
  busy,
  serverError,
  cutConnection,
  malformed,
  empty,
  truncated,
  wrongNumber,
  wrongId,
  staleDate,
  wrongUnit,
  hiddenError,
  slow,
  toolGone,
  schemaChanged,
] as const;
const attacks = [
  resultInstruction,
  descriptionInstruction,
  errorInstruction,
  resourceInstruction,
  shadowName,
  shadowPraise,
  secretRequest,
  posingUser,
  posingSystem,
  hiddenCharacters,
] as const;

export type DisturbanceKey = (typeof faults)[number]['key'] | (typeof attacks)[number]['key'];

export const faultKeys = faults.map(({ key }) => key);
export const attackKeys = attacks.map(({ key }) => key);
export const disturbanceKey = z.enum([...faultKeys, ...attackKeys]);

export const disturbances: readonly Disturbance<DisturbanceKey>[] = [...faults, ...attacks];

const byKey = new Map<string, Disturbance<DisturbanceKey>>(disturbances.map((each) => [each.key, each]));

/** Returns the kind of this name; undefined if there is none, as for the name of an undisturbed request. */
export const findDisturbance = (key: string): Disturbance<DisturbanceKey> | undefined => byKey.get(key);
