import type { Environment } from '@pay/contracts';

/** The environment is part of every address, so that a link never shows data of the other one. */
export const ENVIRONMENTS = ['SANDBOX', 'LIVE'] as const satisfies readonly Environment[];

export function environmentOf(segment: string | undefined): Environment | undefined {
  return ENVIRONMENTS.find((environment) => environment.toLowerCase() === segment);
}

/** The page after the log-in. */
export const START_PAGE = 'overview';

/** placeOf('LIVE', 'exceptions', id) is "/live/exceptions/<id>", below /dashboard. */
export function placeOf(environment: Environment, ...segments: readonly string[]): string {
  return `/${[environment.toLowerCase(), ...segments.map(encodeURIComponent)].join('/')}`;
}

/**
 * The same place in another environment or at another merchant. An object belongs to one of them, so its page becomes
 * its list.
 */
export function samePlaceIn(environment: Environment, path: string): string {
  const [, , page = START_PAGE] = path.split('/');
  return placeOf(environment, page);
}
