import type { TestResult, TestRun } from '@pay/contracts';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { useTestingWords } from './words';

const TONES: Readonly<Record<TestResult, Tone>> = {
  PASSED: 'good',
  FAILED: 'bad',
  SKIPPED: 'neutral',
  ERROR: 'warning',
};

export function RunBadge({ run: { status, result } }: { readonly run: Pick<TestRun, 'status' | 'result'> }) {
  const { cases: w } = useTestingWords();
  return result === null ? (
    <ToneBadge tone="neutral">{w.statuses[status]}</ToneBadge>
  ) : (
    <ToneBadge tone={TONES[result]}>{w.results[result]}</ToneBadge>
  );
}
