/**
 * Turns articles of Wikipedia into passages for a knowledge index, both JSON Lines:
 *
 *     node scripts/wikipedia-passages.ts [paragraphs] < articles.jsonl > passages.jsonl
 *
 * An article has `title`, `url` and `text`, as in the dataset wikimedia/wikipedia. Its first paragraphs (default 1) become
 * passages, since the lead has the fixed attributes that settle what a name means. Headings are left out, and so is what
 * is too long for an index, which the standard error counts; a line of another form ends the run with its number.
 */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { passageLine } from '#core/similarity/knowledge/record.ts';

const article = z.looseObject({ title: z.string().min(1), url: z.string(), text: z.string() });
const licence = 'CC BY-SA 4.0';
/** What an index takes, in bytes of UTF-8. */
const mostBytes = 8_192;
/** The shortest paragraph, in characters: headings and captions are shorter. Not all scripts have a full stop. */
const fewestChars = 30;

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
let leftOut = 0;
for await (const line of createInterface({ input: process.stdin })) {
  number += 1;
  if (line.trim() === '') continue;
  const read = article.safeParse(parseJsonOrNull(line));
  if (!read.success) {
    console.error(`line ${number} is no article: ${z.prettifyError(read.error)}`);
    process.exit(1);
  }
  const { title, url, text } = read.data;
  for (const [place, paragraph] of listLongParagraphs(text).slice(0, wanted.data).entries()) {
    const passage = passageLine.safeParse({
      id: `wikipedia:${title}#${place + 1}`,
      text: `${title}: ${paragraph}`,
      source: `Wikipedia, ${decodeUrlOrKeep(url)}`,
      licence,
    });
    if (passage.success && Buffer.byteLength(passage.data.text) <= mostBytes) console.log(JSON.stringify(passage.data));
    else leftOut += 1;
  }
}
if (leftOut > 0) console.error(`paragraphs left out, because an index would refuse them: ${leftOut}`);

/** Returns the paragraphs that are long enough to say something. */
function listLongParagraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/u)
    .map((each) => each.replaceAll(/\s+/gu, ' ').trim())
    .filter((each) => each.length >= fewestChars);
}

/** Returns an address with its letters as they are read, which are up to nine times fewer characters. */
function decodeUrlOrKeep(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

function parseJsonOrNull(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
