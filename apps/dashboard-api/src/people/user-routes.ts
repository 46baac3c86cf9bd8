import { dashboardOperations, type UserResponse, BusinessError } from '@pay/contracts';
import type { Serve, Session } from '@pay/http';
import { changeUser } from './change-user';
import { findMember, pageOfMembers } from './membership-repository';
import type { UserChange } from '../domain/people';
import { userView } from '../domain/views';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';

export function mountUsers(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.listUsers, async ({ session, query }) => {
    const { data, ...page } = await pageOfMembers(deps.db, query, session.merchantId);
    return { ...page, data: data.map(userView) };
  });
  serve(dashboardOperations.getUser, async ({ session, params }) => {
    const member = await findMember(deps.db, params.id, session.merchantId);
    if (!member) throw new BusinessError('NOT_FOUND');
    return userView(member);
  });

  serve(dashboardOperations.changeUser, ({ session, params, body }) => change(session, params.id, { role: body.role }));
  serve(dashboardOperations.deactivateUser, ({ session, params }) => change(session, params.id, { isActive: false }));
  serve(dashboardOperations.reactivateUser, ({ session, params }) => change(session, params.id, { isActive: true }));

  async function change(session: Session, userId: string, userChange: UserChange): Promise<UserResponse> {
    const input = { merchantId: session.merchantId, session, userId, change: userChange };
    return userView(await onBehalfOf(deps, session, changeUser, input));
  }
}
