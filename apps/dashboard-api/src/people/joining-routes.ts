import { authOperations } from '@pay/contracts';
import { operationServer } from '@pay/http';
import { clientAddress } from '@pay/rate-limits';
import type { Express } from 'express';
import { acceptInvitation } from './accept-invitation';
import { joinMerchant } from './join-merchant';
import { logInWithInvitation } from './log-in-with-invitation';
import { answerLogIn, originOf, type AuthDeps } from '../sign-in/sign-in-routes';

/** Joins a merchant with a new or an existing account. */
export function mountJoining(app: Express, { session, signIn, guard, secureCookies }: AuthDeps): void {
  const serve = operationServer(app, { session, guard });

  serve(authOperations.joinMerchant, ({ session, body }) => joinMerchant(signIn, { session, token: body.token }));
  serve(authOperations.acceptInvitation, ({ body, req }) =>
    acceptInvitation(signIn, { ...body, address: clientAddress(req) }),
  );
  serve(authOperations.logInWithInvitation, async ({ body, req, res }) =>
    answerLogIn(res, await logInWithInvitation(signIn, { ...body, ...originOf(req) }), secureCookies),
  );
}
