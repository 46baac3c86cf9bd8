import { sign, verify, type JwtPayload } from 'jsonwebtoken';

/** One secret, or several during a rotation: the first signs, all verify. */
export type TokenSecret = string | readonly string[];

export interface TokenNames {
  readonly issuer: string;
  readonly audience: string;
}

/** Throws a TypeError if the list is empty. */
export function secretsOf(secret: TokenSecret): readonly [string, ...string[]] {
  const [first, ...others] = typeof secret === 'string' ? [secret] : secret;
  if (!first) throw new TypeError('at least one token secret is required');
  return [first, ...others];
}

export function signToken(
  secret: TokenSecret,
  { issuer, audience }: TokenNames,
  { seconds, claims = {} }: { readonly seconds: number; readonly claims?: Readonly<Record<string, unknown>> },
): string {
  return sign({ ...claims }, secretsOf(secret)[0], { algorithm: 'HS256', issuer, audience, expiresIn: seconds });
}

/** Undefined if no secret verifies the signature, the token has expired, or issuer or audience differ. */
export function verifyToken(
  token: string,
  secret: TokenSecret,
  { issuer, audience }: TokenNames,
  clockTolerance = 0,
): JwtPayload | undefined {
  for (const each of secretsOf(secret)) {
    try {
      const claims = verify(token, each, { algorithms: ['HS256'], issuer, audience, clockTolerance });
      return typeof claims === 'string' ? undefined : claims;
    } catch {
      // Try the next secret.
    }
  }
  return undefined;
}
