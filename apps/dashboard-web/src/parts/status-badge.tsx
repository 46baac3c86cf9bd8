import type { IntentStatus } from '@pay/contracts';
import { useWords } from '../text/language';
import { ToneBadge, type Tone } from './tone-badge';

const TONES: Readonly<Record<IntentStatus, Tone>> = {
  PENDING: 'neutral',
  PAID: 'good',
  FAILED: 'bad',
  EXPIRED: 'neutral',
  REJECTED: 'bad',
  REVIEW_REQUIRED: 'warning',
};

export function StatusBadge({ status }: { readonly status: IntentStatus }) {
  const { t } = useWords();
  return <ToneBadge tone={TONES[status]}>{t.statuses[status]}</ToneBadge>;
}
