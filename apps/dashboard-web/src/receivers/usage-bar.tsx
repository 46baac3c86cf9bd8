import { Text } from '@mantine/core';
import { Caption } from '../parts/typography';
import { useReceiverWords } from './words';

interface UsageProps {
  readonly name: string;
  readonly used: string;
  readonly limit: string | null;
  readonly format: (value: string) => string;
}

/** The used part of a limit, as text and as a bar. */
export function UsageBar({ name, used, limit, format }: UsageProps) {
  const w = useReceiverWords();
  const words = limit === null ? `${format(used)} (${w.noLimit})` : w.of(format(used), format(limit));
  return (
    <div className="usage">
      <Caption>{name}</Caption>
      <Text size="sm">{words}</Text>
      {limit === null ? null : (
        <meter
          aria-label={`${name}: ${words}`}
          min={0}
          max={Number(limit)}
          high={Number(limit) * 0.8}
          optimum={0}
          value={Math.min(Number(used), Number(limit))}
        />
      )}
    </div>
  );
}
