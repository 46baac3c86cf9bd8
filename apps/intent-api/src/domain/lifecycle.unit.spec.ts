import type { IntentStatus } from '@pay/contracts';
import { isLegalMove } from './lifecycle';

const STATUSES: IntentStatus[] = ['PENDING', 'PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED'];
const LEGAL = [
  'PENDING>PAID',
  'PENDING>REVIEW_REQUIRED',
  'PENDING>EXPIRED',
  'PENDING>FAILED',
  'REVIEW_REQUIRED>PAID',
  'REVIEW_REQUIRED>REJECTED',
  'EXPIRED>PAID',
  'FAILED>PAID',
];

describe('intent lifecycle', () => {
  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    'allows a move from %s to %s only if the table lists it',
    (from, to) => {
      expect(isLegalMove(from, to)).toBe(LEGAL.includes(`${from}>${to}`));
    },
  );
});
