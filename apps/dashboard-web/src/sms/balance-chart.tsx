import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useWords } from '../text/language';
import type { BalanceLine } from './balances';

const HEIGHT = 220;
/** Colours with enough contrast on the ground of each scheme; lines also differ in their dashes. */
const COLOURS = {
  light: { lines: ['#1864ab', '#c2410c', '#2b8a3e', '#862e9c'], text: '#212529', grid: '#dee2e6' },
  dark: { lines: ['#74c0fc', '#ffc078', '#8ce99a', '#e599f7'], text: '#ced4da', grid: '#424242' },
} as const;
const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [10, 4, 2, 4]];

/** Colour and dashes of a line; no two of the first sixteen are alike. */
function strokeOf(at: number, scheme: 'light' | 'dark') {
  const { lines, text } = COLOURS[scheme];
  const dash = DASHES[(at + Math.floor(at / lines.length)) % DASHES.length] ?? [];
  return { stroke: lines[at % lines.length] ?? text, dash };
}

interface ChartProps {
  readonly days: readonly string[];
  readonly lines: readonly BalanceLine[];
}

/** One line per account. The table below it contains the same numbers for screen readers. */
export default function BalanceChart({ days, lines }: ChartProps) {
  const { language, count } = useWords();
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
    const dayOf = (at: number) => (Number.isInteger(at) ? count(Number(days[at]?.slice(8) ?? '')) : '');
    const plot = new uPlot(
      {
        width: target.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: [-0.3, days.length - 0.7] } },
        axes: [
          { ...axis, values: (_, values) => values.map(dayOf), incrs: [1, 2, 3] },
          { ...axis, values: (_, values) => values.map((value) => count(value)), size: 72 },
        ],
        series: [
          {},
          ...lines.map((_, at) => {
            const { stroke, dash } = strokeOf(at, scheme);
            return { stroke, dash: [...dash], width: 2, spanGaps: true, points: { show: true, size: 6, fill: stroke } };
          }),
        ],
      },
      [
        days.map((_, at) => at),
        ...lines.map(({ balances }) => balances.map((balance) => (balance === null ? null : Number(balance)))),
      ],
      target,
    );
    chart.current = plot;
    // Texts that were drawn before the font was loaded are drawn again.
    void document.fonts.ready.then(() => plot.redraw());
    return () => plot.destroy();
  }, [scheme, language, days, lines, count]);
  useEffect(() => {
    if (width > 0) chart.current?.setSize({ width, height: HEIGHT });
  }, [width]);
  return (
    <div aria-hidden="true">
      <Group gap="md" mb="xs">
        {lines.map(({ receiverAccountId, receiverMsisdn }, at) => {
          const { stroke, dash } = strokeOf(at, scheme);
          return (
            <Group key={receiverAccountId} gap={6} wrap="nowrap">
              <svg width="28" height="4">
                <line x1="0" x2="28" y1="2" y2="2" stroke={stroke} strokeWidth="3" strokeDasharray={dash.join(' ')} />
              </svg>
              <Text size="sm">{receiverMsisdn}</Text>
            </Group>
          );
        })}
      </Group>
      <div ref={frame} style={{ minHeight: HEIGHT }}>
        <div ref={place} />
      </div>
    </div>
  );
}
