/**
 * Turns articles of Wikipedia into passages for a knowledge index, both JSON Lines:
 *
 *     node scripts/wikipedia-passages.ts [paragraphs] < articles.jsonl > passages.jsonl
 *
 * An article has `title`, `url` and `text`, as in the dataset wikimedia/wikipedia. Its first paragraphs (default 1) become
 * passages, since the lead has the fixed attributes that settle what a name means. Headings and what is too long for
 * an index are left out; a line of another form ends the run with its number.
 */
import { createInterface } from 'node:readline';
import { z } from 'zod';

const article = z.looseObject({ title: z.string().min(1).max(150), url: z.string().max(300), text: z.string() });
const licence = 'CC BY-SA 4.0';
/** What an index takes, in bytes of UTF-8. */
const mostBytes = 8_192;

const wanted = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_000)
  .safeParse(process.argv[2] ?? '1');
if (!wanted.success) {
  console.error('usage: node scripts/wikipedia-passages.ts [paragraphs] < articles.jsonl > passages.jsonl');
  process.exit(2);
}

let number = 0;
for await (const line of createInterface({ input: process.stdin })) {
  number += 1;
  if (line.trim() === '') continue;
  const read = article.safeParse(parseOrNull(line));
  if (!read.success) {
    console.error(`line ${number} is no article: ${z.prettifyError(read.error)}`);
    process.exit(1);
  }
  const { title, url, text } = read.data;
  for (const [place, paragraph] of sentencesOf(text).slice(0, wanted.data).entries()) {
    const passage = {
      id: `wikipedia:${title}#${place + 1}`,
      text: `${title}: ${paragraph}`,
      source: `Wikipedia, ${url}`,
      licence,
    };
    if (Buffer.byteLength(passage.text) <= mostBytes) console.log(JSON.stringify(passage));
  }
}

/** Returns the paragraphs that say something; a heading ends without a full stop. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n/u)
    .map((each) => each.replaceAll(/\s+/gu, ' ').trim())
    .filter((each) => /[.!?。！？]["”»)]?$/u.test(each));
}

function parseOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
