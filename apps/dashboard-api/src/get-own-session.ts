import { ApiError, type Session } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { recentNotices, type Notice } from './db/notices';
import { findSession } from './db/sessions';
import { noticeText } from './domain/notice-text';
import { mayManage } from './domain/people';
import { accountOf } from './open-session';

export interface OwnSessionDeps {
  readonly db: Queryable;
  readonly now: () => Date;
}

/** The person of a session, the session itself, and what they should see without asking. */
export async function getOwnSession({ db, now }: OwnSessionDeps, { sessionId, userId }: Session) {
  const session = await findSession(db, sessionId);
  if (!session) throw new ApiError('UNAUTHORIZED');
  const { id, createdAt, expiresAt, recoveryCodesLeft } = session;
  const merchantId = mayManage(session.role) ? session.merchantId : null;
  const notices = await recentNotices(db, { userId, merchantId, now: now() });
  return {
    user: accountOf(session),
    recoveryCodesLeft,
    session: { id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
    notices: notices.map(noticeView),
  };
}

function noticeView({ id, kind, details, createdAt }: Notice) {
  return { id, kind, message: noticeText(kind, details), details: { ...details }, at: createdAt.toISOString() };
}
