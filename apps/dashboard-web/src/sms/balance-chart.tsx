import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { Chart } from '../parts/chart';
import { useWords } from '../text/language';
import type { BalanceLine } from './balances';

/** Lines also differ in their dashes. */
const COLOURS = {
  light: ['#1864ab', '#c2410c', '#2b8a3e', '#862e9c'],
  dark: ['#74c0fc', '#ffc078', '#8ce99a', '#e599f7'],
} as const;
const DASHES: readonly number[][] = [[], [6, 3], [2, 3], [10, 4, 2, 4]];

/** Colour and dashes of a line; no two of the first sixteen are alike. */
function strokeOf(at: number, scheme: 'light' | 'dark') {
  const colours = COLOURS[scheme];
  const dash = DASHES[(at + Math.floor(at / colours.length)) % DASHES.length] ?? [];
  return { stroke: colours[at % colours.length] ?? colours[0], dash };
}

interface ChartProps {
  readonly days: readonly string[];
  readonly lines: readonly BalanceLine[];
}

/** One line per account. */
export default function BalanceChart({ days, lines }: ChartProps) {
  const { language, count } = useWords();
  const scheme = useComputedColorScheme('light');
  const dayOf = (at: number) => (Number.isInteger(at) ? count(Number(days[at]?.slice(8) ?? '')) : '');
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
      <Chart
        of={[language, days, lines, count]}
        draw={(axis) => ({
          scales: { x: { time: false, range: [-0.3, days.length - 0.7] } },
          axes: [
            { ...axis, values: (_, values) => values.map(dayOf), incrs: [1, 2, 3] },
            { ...axis, values: (_, values) => values.map((value) => count(value)), size: 72 },
          ],
          series: [
            {},
            ...lines.map((_, at) => {
              const { stroke, dash } = strokeOf(at, scheme);
              const points = { show: true, size: 6, fill: stroke };
              return { stroke, dash: [...dash], width: 2, spanGaps: true, points };
            }),
          ],
          data: [
            days.map((_, at) => at),
            ...lines.map(({ balances }) => balances.map((balance) => (balance === null ? null : Number(balance)))),
          ],
        })}
      />
    </div>
  );
}
