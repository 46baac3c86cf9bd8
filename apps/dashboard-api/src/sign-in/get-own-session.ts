import { BusinessError, type Language } from '@pay/contracts';
import { type Session } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { openMemberships } from './open-membership-repository';
import { recentNotices, type Notice } from './notice-repository';
import { findSession } from './session-repository';
import { noticeText } from '../domain/notice-text';
import { mayManage } from '../domain/people';
import { accountOf } from './open-session';

export interface OwnSessionDeps {
  readonly db: Queryable;
  readonly now: () => Date;
}

export async function getOwnSession({ db, now }: OwnSessionDeps, { sessionId, userId }: Session, language: Language) {
  const session = await findSession(db, sessionId);
  if (!session) throw new BusinessError('UNAUTHORIZED');
  const { id, createdAt, expiresAt, recoveryCodesLeft } = session;
  const merchantId = mayManage(session.role) ? session.merchantId : null;
  const memberships = await openMemberships(db, userId);
  const notices = await recentNotices(db, { userId, merchantId, now: now() });
  return {
    user: accountOf(session),
    recoveryCodesLeft,
    session: { id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
    merchants: memberships.map((each) => ({ id: each.merchantId, name: each.merchantName, role: each.role })),
    notices: notices.map((notice) => noticeView(notice, language)),
  };
}

function noticeView({ id, kind, details, createdAt }: Notice, language: Language) {
  const message = noticeText(language, kind, details);
  return { id, kind, message, details: { ...details }, at: createdAt.toISOString() };
}
