import type { ApiKeyFact, DeviceFact, Operation, OperationAnswer, Role } from '@pay/contracts';
import type { Express, RequestHandler } from 'express';
import type { z } from 'zod';
import { apiKeyAuth } from './api-key-auth';
import { deviceKeyAuth } from './device-key-auth';
import { environmentPermission, type FindEnvironment } from './environment-permission';
import { route, type RouteInput } from './route';
import { sessionAuth, type SessionCheck } from './session-auth';

/** Only the credential kinds that the operations of the service require must be given. */
export interface CredentialChecks {
  readonly findApiKey?: (key: string) => Promise<ApiKeyFact | undefined>;
  readonly findDevice?: (key: string) => Promise<DeviceFact | undefined>;
  readonly session?: SessionCheck;
  /** Required for operations that a role may call in SANDBOX only. */
  readonly findEnvironment?: FindEnvironment;
  /** Handlers that run after the credential check and before validation, such as rate limits. */
  readonly guard?: (operation: Operation) => readonly RequestHandler[];
}

interface Head<Status> {
  readonly status: Status;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Whole<Status, Body> extends Head<Status> {
  readonly body: Body;
}
type OneAnswer<Status, A> =
  | (A extends { readonly body: infer Body extends z.ZodType } ? Whole<Status, z.input<Body>> : Head<Status>)
  | (A extends { readonly alsoAs: string } ? Whole<Status, string> : never);
type Answers = Readonly<Record<number, OperationAnswer>>;

export type AnswerOf<Op extends { readonly answers: Answers }> = {
  [Status in keyof Op['answers'] & number]: OneAnswer<Status, Op['answers'][Status]>;
}[keyof Op['answers'] & number];

export type InputOf<Op extends Operation> = RouteInput<Op['params'], Op['query'], Op['body']>;

/**
 * Order: credential, guards, validation, permission in the environment, handler. The API tests check that responses
 * match the description.
 */
export function operationServer(app: Express, checks: CredentialChecks) {
  return function serve<Op extends Operation, const Sent extends AnswerOf<Op>>(
    operation: Op,
    handler: (input: InputOf<Op>) => Promise<Sent>,
  ): void {
    const guards = checks.guard?.(operation) ?? [];
    const assertPermitted = environmentPermission(operation, checks.findEnvironment);
    app[operation.method](
      operation.path,
      ...credentialOf(operation, checks),
      ...guards,
      route(operation, async (input) => {
        await assertPermitted?.(input);
        return handler(input);
      }),
    );
  };
}

export type Serve = ReturnType<typeof operationServer>;

function credentialOf(
  { id, credential }: Operation,
  { findApiKey, findDevice, session }: CredentialChecks,
): RequestHandler[] {
  const missing = () => new TypeError(`no authentication is configured for operation ${id}`);
  switch (credential.kind) {
    case 'none':
      return [];
    case 'apiKey':
      if (!findApiKey) throw missing();
      return [apiKeyAuth(findApiKey, credential.scope)];
    case 'deviceKey':
      if (!findDevice) throw missing();
      return [deviceKeyAuth(findDevice)];
    case 'session':
      if (!session) throw missing();
      return [sessionAuth(session, credential.roles satisfies readonly Role[])];
  }
}
