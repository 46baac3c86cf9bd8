import { dashboardOperations, type InvitationResponse } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { createInvitation, type InvitationDeps } from './create-invitation';
import { pageOfInvitations, type Invitation } from './invitation-repository';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { revokeInvitation } from './revoke-invitation';

export type InvitationRouteDeps = ManageDeps & Pick<InvitationDeps, 'mails' | 'apiUrl' | 'dashboardUrl'>;

export function mountInvitations(serve: Serve, deps: InvitationRouteDeps): void {
  serve(dashboardOperations.createInvitation, async ({ session, body: { email, name, role } }) => {
    const input = { merchantId: session.merchantId, session, email, name, role };
    const { mails, apiUrl, dashboardUrl } = deps;
    const invitation = await onBehalfOf(deps, session, (changeDeps, tx) =>
      createInvitation({ ...changeDeps, mails, apiUrl, dashboardUrl }, tx, input),
    );
    return invitationView(invitation, deps.now());
  });

  serve(dashboardOperations.listInvitations, async ({ session, query }) => {
    const { data, ...page } = await pageOfInvitations(deps.db, query, session.merchantId);
    const now = deps.now();
    return { ...page, data: data.map((invitation) => invitationView(invitation, now)) };
  });

  serve(dashboardOperations.revokeInvitation, async ({ session, params }) => {
    const input = { merchantId: session.merchantId, invitationId: params.id };
    const invitation = await onBehalfOf(deps, session, revokeInvitation, input);
    return invitationView(invitation, deps.now());
  });
}

function invitationView(invitation: Invitation, now: Date): InvitationResponse {
  const { id, email, name, role, createdBy, createdAt, expiresAt, acceptedAt, revokedAt } = invitation;
  const ended = expiresAt <= now ? 'EXPIRED' : 'PENDING';
  return {
    id,
    email,
    name,
    role,
    createdBy,
    status: acceptedAt ? 'ACCEPTED' : revokedAt ? 'REVOKED' : ended,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    acceptedAt: acceptedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
