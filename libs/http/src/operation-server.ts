import type { ApiKeyFact, DeviceFact, Operation, OperationAnswer, Role } from '@pay/contracts';
import type { Express, RequestHandler } from 'express';
import type { z } from 'zod';
import { apiKeyAuth } from './api-key-auth';
import { deviceKeyAuth } from './device-key-auth';
import { environmentPermission, type FindEnvironment } from './environment-permission';
import { route, type RouteInput } from './route';
import { sessionAuth, type SessionCheck } from './session-auth';

/** Authentication of callers. Only the kinds that the service's operations require must be given. */
export interface CredentialChecks {
  readonly findApiKey?: (key: string) => Promise<ApiKeyFact | undefined>;
  readonly findDevice?: (key: string) => Promise<DeviceFact | undefined>;
  readonly session?: SessionCheck;
  /** For operations that a role may call in SANDBOX only. */
  readonly findEnvironment?: FindEnvironment;
  /** Handlers between credential and input, such as rate limits. */
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

/** One of the answers that the operation describes. */
export type AnswerOf<Op extends { readonly answers: Answers }> = {
  [Status in keyof Op['answers'] & number]: OneAnswer<Status, Op['answers'][Status]>;
}[keyof Op['answers'] & number];

export type InputOf<Op extends Operation> = RouteInput<Op['params'], Op['query'], Op['body']>;

/**
 * Mounts operations on an app: credential, guards, permission in the environment, then the handler with checked input.
 * A handler can only answer what its operation describes; that the description is obeyed at run time is what the API
 * tests check.
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

/** Mounts one operation. */
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
