import { explorationConfig } from '#core/exploration/config.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';

/** For how long a run keeps the texts of its attempts. */
export const keepTextsOption = optionalOption(
  'keep-texts-days',
  'N',
  'delete arguments, results, answers and reasons so many days after the end, and keep the figures',
  makeSchemaNumberParser(explorationConfig.shape.keepTextsDays.unwrap()),
);
