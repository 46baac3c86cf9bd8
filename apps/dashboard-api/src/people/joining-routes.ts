import { authOperations } from '@pay/contracts';
import { operationServer } from '@pay/http';
import { clientAddress } from '@pay/rate-limits';
import type { Express } from 'express';
import { acceptInvitation } from './accept-invitation';
import { joinMerchant } from './join-merchant';
import type { AuthDeps } from '../sign-in/sign-in-routes';

/** Joins a merchant with a new or an existing account. */
export function mountJoining(app: Express, { session, signIn, guard }: Omit<AuthDeps, 'secureCookies'>): void {
  const serve = operationServer(app, { session, guard });

  serve(authOperations.joinMerchant, ({ session, body }) => joinMerchant(signIn, { session, token: body.token }));
  serve(authOperations.acceptInvitation, ({ body, req }) =>
    acceptInvitation(signIn, { ...body, address: clientAddress(req) }),
  );
}
