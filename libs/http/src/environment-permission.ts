import {
  BusinessError,
  rolesIn,
  type Environment,
  type EnvironmentOwner,
  type Operation,
  type SandboxOnly,
} from '@pay/contracts';
import type { RouteInput } from './route';
import { sessionOf, type Session } from './session-auth';

/** Throws NOT_FOUND for an object of another merchant. */
export type FindEnvironment = (owner: EnvironmentOwner, id: string, session: Session) => Promise<Environment>;

type Input = RouteInput<Operation['params'], Operation['query'], Operation['body']>;

/** Checks the environment after the input is parsed. Undefined if the roles are the same in LIVE and SANDBOX. */
export function environmentPermission(
  { id, credential }: Operation,
  findEnvironment: FindEnvironment | undefined,
): ((input: Input) => Promise<void>) | undefined {
  const sandboxOnly = credential.kind === 'session' ? credential.sandboxOnly : undefined;
  if (sandboxOnly === undefined) return undefined;
  const read = environmentReader(sandboxOnly, findEnvironment);
  if (!read) throw new TypeError(`no look-up of environments is configured for operation ${id}`);
  const liveRoles = rolesIn(credential, 'LIVE');
  const refusal =
    liveRoles.length === 0
      ? 'This operation exists in SANDBOX only.'
      : `In LIVE this operation requires the role ${liveRoles.join(' or ')}.`;
  return async (input) => {
    const session = sessionOf(input.res);
    if (sandboxOnly.roles.includes(session.role) && (await read(input, session)) === 'LIVE')
      throw new BusinessError('FORBIDDEN', refusal);
  };
}

function environmentReader(
  { environmentOf }: SandboxOnly,
  findEnvironment: FindEnvironment | undefined,
): ((input: Input, session: Session) => unknown) | undefined {
  if (environmentOf === 'query' || environmentOf === 'body') return (input) => environmentField(input[environmentOf]);
  return findEnvironment && ((input, session) => findEnvironment(environmentOf, idOf(input.params), session));
}

function environmentField(part: unknown): unknown {
  return (part as { readonly environment?: unknown } | undefined)?.environment;
}

function idOf(params: unknown): string {
  const { id } = params as { readonly id?: unknown };
  if (typeof id !== 'string') throw new TypeError('the path of this operation contains no id');
  return id;
}
