import type { SmsStatus } from '@pay/contracts';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { useSmsWords } from './words';

const TONES: Readonly<Record<SmsStatus, Tone>> = {
  RECEIVED: 'neutral',
  PARSED: 'neutral',
  UNPARSED: 'neutral',
  MATCH_PENDING: 'warning',
  MATCHED: 'good',
  FAILED: 'bad',
  MANUALLY_RESOLVED: 'good',
  REJECTED: 'bad',
};

export function SmsStatusBadge({ status }: { readonly status: SmsStatus }) {
  const w = useSmsWords();
  return <ToneBadge tone={TONES[status]}>{w.statuses[status]}</ToneBadge>;
}
