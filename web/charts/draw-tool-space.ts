import {
  fadedAlpha,
  shapesOfAllTransitions,
  shapesOfTools,
  type ToolSpaceDrawing,
  type ToolSpaceShape,
} from './tool-space-shapes.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Draws all transitions: what takes longest, and changes only with the space. */
export function drawAllTransitions(context: Context, drawing: Omit<ToolSpaceDrawing, 'marked'>): void {
  drawShapes(context, shapesOfAllTransitions(drawing), drawing.size);
}

/** Draws the tools of all servers on a circle, over the picture of the transitions between them. */
export function drawToolsOverTransitions(
  context: Context,
  drawing: ToolSpaceDrawing,
  transitions: CanvasImageSource,
): void {
  const { size, marked } = drawing;
  context.clearRect(0, 0, size, size);
  context.globalAlpha = marked.size === 0 ? 1 : fadedAlpha;
  context.drawImage(transitions, 0, 0, size, size);
  context.globalAlpha = 1;
  drawShapes(context, shapesOfTools(drawing), size);
}

function drawShapes(context: Context, shapes: readonly ToolSpaceShape[], size: number): void {
  context.save();
  context.translate(size / 2, size / 2);
  for (const shape of shapes) drawShape(context, shape);
  context.restore();
}

function drawShape(context: Context, shape: ToolSpaceShape): void {
  switch (shape.kind) {
    case 'lines':
      context.globalAlpha = shape.alpha;
      context.strokeStyle = shape.color;
      context.lineWidth = shape.width;
      context.stroke(new Path2D(shape.path));
      context.globalAlpha = 1;
      return;
    case 'dot':
      context.beginPath();
      context.arc(shape.x, shape.y, shape.radius, 0, 2 * Math.PI);
      context.fillStyle = shape.color;
      context.fill();
      return;
    case 'name':
      context.save();
      context.translate(shape.x, shape.y);
      context.rotate(shape.turn);
      context.fillStyle = shape.color;
      context.font = "12px -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
      context.textAlign = shape.isEnd ? 'right' : 'left';
      context.textBaseline = 'middle';
      context.fillText(shape.text, 0, 0);
      context.restore();
  }
}
