import { cutVisibleText, showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import { pictureSize } from '#core/pictures/link-picture.ts';
import { escapeXml } from '#core/values/xml.ts';

/** What Sextant is, for a page that has nothing else to say to those without a key. */
export const usualDescription = 'Sextant charts the tool space of MCP servers and measures the agents that work in it.';

/** Where networks and chats that show a link cut these themselves. */
const longestTitle = 90;
const longestDescription = 200;

/** A picture of `pictureSize`. */
interface CardPicture {
  /** From the origin on. */
  readonly path: string;
  /** What is on it, for those who do not see it. */
  readonly alt: string;
}

/** The picture of all links that show nothing of their own. */
const usualPicture: CardPicture = { path: '/card.png', alt: 'Sextant: a graduated scale with an interval' };

interface LinkCard {
  /** Pictures are only found by a whole address. Null for a page that is written once for all origins: it has no picture. */
  readonly origin: string | null;
  readonly title: string;
  readonly description: string;
  readonly picture?: CardPicture | undefined;
}

/** Returns the elements of a page's head from which networks and chats unfold a link to it. Texts are cut and escaped. */
export function linkCardTags({ origin, title, description, picture = usualPicture }: LinkCard): string {
  const shownDescription = cutVisibleText(showHiddenCharacters(description), longestDescription);
  return [
    ['name', 'description', shownDescription],
    ['property', 'og:type', 'website'],
    ['property', 'og:site_name', 'Sextant'],
    ['property', 'og:title', cutVisibleText(showHiddenCharacters(title), longestTitle)],
    ['property', 'og:description', shownDescription],
    ...(origin === null ? [] : pictureTags(origin, picture)),
  ]
    .map(([kind, name, content = '']) => `<meta ${kind}="${name}" content="${escapeXml(content)}" />`)
    .join('\n    ');
}

const pictureTags = (origin: string, { path, alt }: CardPicture): string[][] => [
  ['property', 'og:image', `${origin}${path}`],
  ['property', 'og:image:type', 'image/png'],
  ['property', 'og:image:width', String(pictureSize.width)],
  ['property', 'og:image:height', String(pictureSize.height)],
  ['property', 'og:image:alt', cutVisibleText(showHiddenCharacters(alt), longestDescription)],
  ['name', 'twitter:card', 'summary_large_image'],
];
