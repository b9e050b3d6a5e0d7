/** What a stylesheet says of the parts of a chart, by names that are attributes of SVG as well. */
const styled = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size'];

/** Returns the elements of a chart on the page, each with the style that it has there as attributes. */
export function readDrawnSvgElements(svg: SVGSVGElement): string {
  const copy = document.createElementNS(svg.namespaceURI, 'g');
  for (const child of svg.children) copy.append(child.cloneNode(true));
  const drawn = svg.querySelectorAll('path, line, text');
  for (const [index, element] of copy.querySelectorAll('path, line, text').entries()) {
    const original = drawn[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const name of styled) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute('class');
  }
  return new XMLSerializer().serializeToString(copy);
}
