import { dashboardOperations, type UserResponse, BusinessError } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import type { Response } from 'express';
import { changeUser } from './change-user';
import { findMember, pageOfMembers } from './membership-repository';
import type { UserChange } from '../domain/people';
import { userView } from '../domain/views';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';

export function mountUsers(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.listUsers, async ({ query, res }) => {
    const { data, ...page } = await pageOfMembers(deps.db, query, sessionOf(res).merchantId);
    return { status: 200, body: { ...page, data: data.map(userView) } };
  });
  serve(dashboardOperations.getUser, async ({ params, res }) => {
    const member = await findMember(deps.db, params.id, sessionOf(res).merchantId);
    if (!member) throw new BusinessError('NOT_FOUND');
    return { status: 200, body: userView(member) };
  });

  serve(dashboardOperations.changeUser, ({ params, body, res }) => change(res, params.id, { role: body.role }));
  serve(dashboardOperations.deactivateUser, ({ params, res }) => change(res, params.id, { isActive: false }));
  serve(dashboardOperations.reactivateUser, ({ params, res }) => change(res, params.id, { isActive: true }));

  async function change(
    res: Response,
    userId: string,
    userChange: UserChange,
  ): Promise<{ status: 200; body: UserResponse }> {
    const session = sessionOf(res);
    const user = await onBehalfOf(deps, session, (changeDeps, tx) =>
      changeUser(changeDeps, tx, {
        merchantId: session.merchantId,
        session,
        userId,
        change: userChange,
      }),
    );
    return { status: 200, body: userView(user) };
  }
}
