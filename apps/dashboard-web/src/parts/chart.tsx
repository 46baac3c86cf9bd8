import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, type DependencyList } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const HEIGHT = 220;
/** Colours with enough contrast on the ground of each scheme, as those of the lines and bars of each chart. */
const COLOURS = { light: { text: '#212529', grid: '#dee2e6' }, dark: { text: '#ced4da', grid: '#424242' } } as const;

interface ChartProps {
  readonly draw: (axis: uPlot.Axis, scheme: keyof typeof COLOURS) => Omit<uPlot.Options, 'width' | 'height'>;
  /** What the drawing shows: it is made again when one of them changes. */
  readonly of: DependencyList;
}

/** A chart as wide as its place. A table near it contains the same numbers for screen readers. */
export function Chart({ draw, of }: ChartProps) {
  const scheme = useComputedColorScheme('light');
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  useEffect(() => {
    const target = place.current;
    if (!target) return;
    const axis = {
      // A canvas does not inherit the font, and others have no Bangla digits.
      font: `12px ${getComputedStyle(target).fontFamily}`,
      stroke: COLOURS[scheme].text,
      grid: { stroke: COLOURS[scheme].grid, width: 1 },
      ticks: { show: false },
    };
    const { data, ...options } = draw(axis, scheme);
    const size = { width: target.clientWidth, height: HEIGHT };
    const plot = new uPlot({ ...size, legend: { show: false }, cursor: { show: false }, ...options }, data, target);
    chart.current = plot;
    // Texts that were drawn before the font was loaded are drawn again.
    void document.fonts.ready.then(() => plot.redraw());
    return () => plot.destroy();
  }, [scheme, ...of]);
  useEffect(() => {
    if (width > 0) chart.current?.setSize({ width, height: HEIGHT });
  }, [width]);
  return (
    <div ref={frame} aria-hidden="true" style={{ minHeight: HEIGHT }}>
      <div ref={place} />
    </div>
  );
}
