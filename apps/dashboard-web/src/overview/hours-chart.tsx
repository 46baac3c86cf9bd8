import uPlot from 'uplot';
import { Chart } from '../parts/chart';
import { digits } from '../text/format';
import { useWords } from '../text/language';
import { HOURS_OF_DAY } from './compare-days';

const COLOURS = {
  light: { today: '#1864ab', before: '#c2410c' },
  dark: { today: '#74c0fc', before: '#ffc078' },
} as const;

interface ChartProps {
  readonly today: readonly number[];
  readonly weekBefore: readonly number[];
}

/** Bars of today with the line of the week before. The table beside it contains the same numbers for screen readers. */
export default function HoursChart({ today, weekBefore }: ChartProps) {
  const { language } = useWords();
  const words = (_: uPlot, values: readonly number[]) =>
    values.map((value) => (Number.isInteger(value) ? digits(String(value), language) : ''));
  return (
    <Chart
      of={[language, today, weekBefore]}
      draw={(axis, scheme) => ({
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
            stroke: COLOURS[scheme].today,
            fill: COLOURS[scheme].today,
            points: { show: false },
            ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
          },
          {
            stroke: COLOURS[scheme].before,
            width: 2,
            dash: [6, 3],
            points: { show: true, size: 5, fill: COLOURS[scheme].before },
          },
        ],
        data: [Array.from({ length: HOURS_OF_DAY }, (_, hour) => hour), [...today], [...weekBefore]],
      })}
    />
  );
}
