import { useEffect, useState } from 'preact/hooks';
import type { ChartColors } from './tool-space-shapes.ts';

/** The colours of the stylesheet, read again when the reader changes between light and dark. */
export function useChartColors(): ChartColors {
  const [colors, setColors] = useState(readChartColors);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setColors(readChartColors());
    dark.addEventListener('change', change);
    return () => dark.removeEventListener('change', change);
  }, []);
  return colors;
}

export function readChartColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  return {
    ink: color('--ink'),
    paper: color('--paper'),
    faint: color('--faint'),
    line: color('--line'),
    executed: color('--link'),
    valuePassed: color('--mark'),
  };
}
