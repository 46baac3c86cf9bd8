import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useWords } from '../text/language';
import { digits } from '../text/format';
import { HOURS_OF_DAY } from './compare-days';

const HEIGHT = 220;
/** Colours with enough contrast on the ground of each scheme. */
const COLOURS = {
  light: { today: '#1864ab', before: '#c2410c', text: '#212529', grid: '#dee2e6' },
  dark: { today: '#74c0fc', before: '#ffc078', text: '#ced4da', grid: '#424242' },
} as const;

interface ChartProps {
  readonly today: readonly number[];
  readonly weekBefore: readonly number[];
}

/** Bars of today with the line of the week before. The table beside it contains the same numbers for screen readers. */
export default function HoursChart({ today, weekBefore }: ChartProps) {
  const { language } = useWords();
  const scheme = useComputedColorScheme('light');
  const { ref: frame, width } = useElementSize<HTMLDivElement>();
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);
  useEffect(() => {
    const target = place.current;
    if (!target) return;
    const colours = COLOURS[scheme];
    const axis = {
      // A canvas does not inherit the font, and others have no Bangla digits.
      font: `12px ${getComputedStyle(target).fontFamily}`,
      stroke: colours.text,
      grid: { stroke: colours.grid, width: 1 },
      ticks: { show: false },
    };
    const words = (_: uPlot, values: readonly number[]) =>
      values.map((value) => (Number.isInteger(value) ? digits(String(value), language) : ''));
    const plot = new uPlot(
      {
        width: target.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.6, HOURS_OF_DAY - 0.4] },
          y: { range: (_, __, max) => [0, Math.max(max * 1.1, 1)] },
        },
        axes: [
          { ...axis, values: words, incrs: [3, 6] },
          { ...axis, values: words, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 10_000] },
        ],
        series: [
          {},
          {
            stroke: colours.today,
            fill: colours.today,
            points: { show: false },
            ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
          },
          { stroke: colours.before, width: 2, dash: [6, 3], points: { show: true, size: 5, fill: colours.before } },
        ],
      },
      [Array.from({ length: HOURS_OF_DAY }, (_, hour) => hour), [...today], [...weekBefore]],
      target,
    );
    chart.current = plot;
    // Texts that were drawn before the font was loaded are drawn again.
    void document.fonts.ready.then(() => plot.redraw());
    return () => plot.destroy();
  }, [scheme, language, today, weekBefore]);
  useEffect(() => {
    if (width > 0) chart.current?.setSize({ width, height: HEIGHT });
  }, [width]);
  return (
    <div ref={frame} aria-hidden="true" style={{ minHeight: HEIGHT }}>
      <div ref={place} />
    </div>
  );
}
