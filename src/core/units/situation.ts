import type { Random } from '#core/values/random.ts';

/**
 * The person and place that the task of a unit comes from. Endpoints ignore the parameter `seed` or have dropped it; tasks that differ need prompts
 * that differ.
 */
export interface Situation {
  /** The asker's occupation or role. */
  readonly trade: string;
  readonly place: string;
  /** How the asker writes. */
  readonly register: string;
  /** The language of the requests. */
  readonly language: string;
}

const trades = [
  'accountant of a small firm',
  'amateur astronomer',
  'apprentice electrician',
  'archivist',
  'baker with one shop',
  'beekeeper',
  'board-game designer',
  'bookseller',
  'carer for an elderly parent',
  'choir conductor',
  'civil engineer',
  'community organiser',
  'data analyst',
  'dental hygienist',
  'event planner',
  'farmer',
  'ferry operator',
  'film editor',
  'forester',
  'freelance translator',
  'furniture maker',
  'grant writer',
  'history teacher',
  'hospital pharmacist',
  'hotel manager',
  'insurance clerk',
  'journalist on a deadline',
  'landscape gardener',
  'lawyer in family law',
  'librarian',
  'long-distance runner',
  'lorry dispatcher',
  'marine biologist',
  'museum guide',
  'music producer',
  'night nurse',
  'office manager',
  'open-source maintainer',
  'parent of school children',
  'physics student',
  'podcast host',
  'product manager',
  'property manager',
  'quality inspector',
  'railway planner',
  'restaurant cook',
  'retired surveyor',
  'school principal',
  'ship chandler',
  'shop owner',
  'site reliability engineer',
  'social worker',
  'sports coach',
  'stage technician',
  'tax adviser',
  'theatre director',
  'town planner',
  'travel agent',
  'veterinarian',
  'volunteer firefighter',
] as const;

const places = [
  'Accra',
  'Antwerp',
  'Auckland',
  'Bangalore',
  'Bergen',
  'Bogotá',
  'Boston',
  'Buenos Aires',
  'Cairo',
  'Calgary',
  'Cape Town',
  'Casablanca',
  'Chengdu',
  'Dhaka',
  'Dublin',
  'Fukuoka',
  'Galway',
  'Gdańsk',
  'Hanoi',
  'Helsinki',
  'Istanbul',
  'Jakarta',
  'Kraków',
  'Lagos',
  'Leipzig',
  'Lima',
  'Ljubljana',
  'Lyon',
  'Manila',
  'Melbourne',
  'Minneapolis',
  'Montevideo',
  'Montréal',
  'Nairobi',
  'Naples',
  'Oaxaca',
  'Porto',
  'Pune',
  'Recife',
  'Reykjavík',
  'Riga',
  'Sapporo',
  'Seville',
  'Tbilisi',
  'Tromsø',
  'Tucson',
  'Utrecht',
  'Wellington',
] as const;

const registers = [
  'terse notes, as typed on a phone',
  'friendly and chatty',
  'formal, as in a letter',
  'in a hurry, straight to the point',
  'exact, as a specification',
  'thinking aloud, with a reason for each wish',
  'plain words of somebody who is new to this',
] as const;

/** Draws a situation; the language is one of those given, of which there is at least one. */
export function drawSituation(random: Random, languages: readonly string[]): Situation {
  const pick = (from: readonly string[]): string => from[random.below(from.length)] ?? '';
  return { trade: pick(trades), place: pick(places), register: pick(registers), language: pick(languages) };
}
