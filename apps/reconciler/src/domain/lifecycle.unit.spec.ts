import { intentStatusSchema, matchStatusSchema } from '@pay/contracts';
import {
  assertIntentMove,
  assertMatchMove,
  evidenceStateOf,
  IllegalMove,
  mayChangeAfterReparse,
  mayIntentMove,
  mayMatchMove,
  mayPersonMoveMatch,
} from './lifecycle';

const statuses = intentStatusSchema.options;

describe('status changes of an intent', () => {
  it.each(['PAID', 'REJECTED'] as const)('%s is final for the system and for people', (final) => {
    for (const to of statuses) {
      expect(mayIntentMove(final, to, 'system')).toBe(false);
      expect(mayIntentMove(final, to, 'person')).toBe(false);
    }
  });

  it.each(['EXPIRED', 'FAILED'] as const)('%s becomes PAID by a person and never by the system', (closed) => {
    expect(mayIntentMove(closed, 'PAID', 'person')).toBe(true);
    expect(mayIntentMove(closed, 'PAID', 'system')).toBe(false);
  });

  it('lead to REJECTED only by a person and only from REVIEW_REQUIRED', () => {
    const rejecting = statuses.filter((from) => mayIntentMove(from, 'REJECTED', 'person'));

    expect(rejecting).toEqual(['REVIEW_REQUIRED']);
    expect(statuses.some((from) => mayIntentMove(from, 'REJECTED', 'system'))).toBe(false);
  });

  it('never lead back to PENDING', () => {
    expect(statuses.some((from) => mayIntentMove(from, 'PENDING', 'person'))).toBe(false);
  });

  it('lead to EXPIRED only from PENDING', () => {
    expect(statuses.filter((from) => mayIntentMove(from, 'EXPIRED', 'system'))).toEqual(['PENDING']);
  });

  it('throw an error when they are not in the table', () => {
    expect(() => assertIntentMove('EXPIRED', 'PAID', 'system')).toThrow(IllegalMove);
    expect(() => assertIntentMove('PENDING', 'PAID', 'system')).not.toThrow();
  });
});

describe('status changes of a match', () => {
  it.each(['MATCHED', 'MANUALLY_RESOLVED', 'REJECTED'] as const)('%s stays when its text is re-parsed', (final) => {
    expect(matchStatusSchema.options.filter((to) => mayMatchMove(final, to, true))).toEqual([]);
    expect(mayChangeAfterReparse(final)).toBe(false);
  });

  it('after the match window do not lead to MATCHED by the system, also when the text is re-parsed', () => {
    expect(mayMatchMove('EXPIRED', 'MATCHED', true)).toBe(false);
    expect(mayMatchMove('EXPIRED', 'PENDING', true)).toBe(false);
  });

  it.each(['MATCHED', 'DUPLICATE', 'MANUALLY_RESOLVED', 'REJECTED'] as const)('%s is final', (final) => {
    expect(matchStatusSchema.options.filter((to) => mayMatchMove(final, to))).toEqual([]);
  });

  it('after the match window lead to MANUALLY_RESOLVED only by a person', () => {
    expect(mayMatchMove('EXPIRED', 'MATCHED')).toBe(false);
    expect(mayPersonMoveMatch('EXPIRED', 'MANUALLY_RESOLVED')).toBe(true);
  });

  it('to resolved, excluded and reopened are made only by a person', () => {
    const all = matchStatusSchema.options;
    for (const from of all) {
      expect(mayMatchMove(from, 'MANUALLY_RESOLVED', true)).toBe(false);
      expect(mayMatchMove(from, 'REJECTED', true)).toBe(false);
    }
    expect(all.filter((to) => mayPersonMoveMatch('REJECTED', to))).toEqual([
      'PENDING',
      'REVIEW_REQUIRED',
      'FAILED',
      'EXPIRED',
    ]);
    expect(all.filter((from) => mayPersonMoveMatch(from, 'MANUALLY_RESOLVED'))).toEqual([
      'PENDING',
      'REVIEW_REQUIRED',
      'FAILED',
      'EXPIRED',
    ]);
  });

  it.each(['MATCHED', 'MANUALLY_RESOLVED', 'DUPLICATE'] as const)('%s is final for people', (final) => {
    expect(matchStatusSchema.options.filter((to) => mayPersonMoveMatch(final, to))).toEqual([]);
  });

  it('throw an error when they are not in the table', () => {
    expect(() => assertMatchMove('MATCHED', 'PENDING')).toThrow(IllegalMove);
  });
});

describe('the state of evidence', () => {
  it('is USED exactly for the matches that pay', () => {
    const spending = matchStatusSchema.options.filter(
      (status) => evidenceStateOf({ status, windowEndedAt: undefined }) === 'USED',
    );

    expect(spending).toEqual(['MATCHED', 'MANUALLY_RESOLVED']);
  });

  it('is LAPSED after the match window, also under review', () => {
    expect(evidenceStateOf({ status: 'REVIEW_REQUIRED', windowEndedAt: new Date(0) })).toBe('LAPSED');
    expect(evidenceStateOf({ status: 'REVIEW_REQUIRED', windowEndedAt: undefined })).toBe('REVIEW');
  });
});
