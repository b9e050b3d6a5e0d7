import { showHiddenCharacters } from '#core/leaderboards/visible-text.ts';
import { escapeXml } from '#core/values/xml.ts';
import {
  fadedAlpha,
  shapesOfAllTransitions,
  shapesOfTools,
  type ToolSpaceDrawing,
  type ToolSpaceShape,
} from './tool-space-shapes.ts';

/** A chart that becomes a file, with all that stands around it on the page. */
export interface Picture {
  readonly title: string;
  /** The size of the drawing, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Elements of SVG. */
  readonly drawing: string;
  readonly legend: readonly { readonly name: string; readonly color: string }[];
  readonly colors: { readonly ink: string; readonly paper: string };
}

const titleHeight = 28;
const legendLineHeight = 20;
const border = 12;
const font = 'font-family="system-ui, sans-serif"';

/** Returns an SVG file, which needs no stylesheet: its title, the drawing, and a legend with a line for each name. */
export function pictureSvgText({ title, width, height, drawing, legend, colors }: Picture): string {
  const full = { width: width + 2 * border, height: titleHeight + height + legend.length * legendLineHeight + border };
  const text = (content: string): string => escapeXml(showHiddenCharacters(content));
  const legendTop = titleHeight + height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${full.width}" height="${full.height}" viewBox="0 0 ${full.width} ${full.height}">`,
    `<title>${text(title)}</title>`,
    `<rect width="100%" height="100%" fill="${escapeXml(colors.paper)}"/>`,
    `<text x="${border}" y="20" ${font} font-size="14" font-weight="600" fill="${escapeXml(colors.ink)}">${text(title)}</text>`,
    `<g transform="translate(${border} ${titleHeight})">${drawing}</g>`,
    ...legend.map(({ name, color }, index) => {
      const y = legendTop + index * legendLineHeight + legendLineHeight / 2;
      return `<rect x="${border}" y="${y - 1.5}" width="14" height="3" fill="${escapeXml(color)}"/><text x="${border + 20}" y="${y + 4}" ${font} font-size="12" fill="${escapeXml(colors.ink)}">${text(name)}</text>`;
    }),
    '</svg>\n',
  ].join('\n');
}

/** Returns the chart of the tool space as elements of SVG. */
export function toolSpaceSvgElements(drawing: ToolSpaceDrawing): string {
  const { size, marked } = drawing;
  const behind = shapesOfAllTransitions(drawing).map(shapeSvgElement).join('\n');
  const above = shapesOfTools(drawing).map(shapeSvgElement).join('\n');
  const opacity = marked.size === 0 ? 1 : fadedAlpha;
  return `<g transform="translate(${size / 2} ${size / 2})"><g opacity="${opacity}">${behind}</g>${above}</g>`;
}

function shapeSvgElement(shape: ToolSpaceShape): string {
  const color = escapeXml(shape.color);
  switch (shape.kind) {
    case 'lines':
      return `<path d="${shape.path}" fill="none" stroke="${color}" stroke-width="${shape.width.toFixed(1)}" stroke-opacity="${shape.alpha.toFixed(3)}"/>`;
    case 'dot':
      return `<circle cx="${shape.x.toFixed(1)}" cy="${shape.y.toFixed(1)}" r="${shape.radius.toFixed(2)}" fill="${color}"/>`;
    case 'name': {
      const turned = `translate(${shape.x.toFixed(1)} ${shape.y.toFixed(1)}) rotate(${((shape.turn * 180) / Math.PI).toFixed(2)})`;
      return `<text transform="${turned}" text-anchor="${shape.isEnd ? 'end' : 'start'}" dominant-baseline="central" ${font} font-size="12" fill="${color}">${escapeXml(showHiddenCharacters(shape.text))}</text>`;
    }
  }
}
