import { refusalDetail, type EndpointRequestBody, type Environment } from '@pay/contracts';
import type { OutcomeClass } from './outcome';

export const VERIFICATION_EVENT = 'webhook.endpoint_verification';
const SHOWN_CHARACTERS = 200;

/** The challenge is at the top level and in `data`, because receivers read either place. */
export function challengeBody(environment: Environment, now: Date, challenge: string): string {
  const body: EndpointRequestBody<typeof VERIFICATION_EVENT> = {
    event: VERIFICATION_EVENT,
    environment,
    timestamp: now.toISOString(),
    challenge,
    data: { challenge },
  };
  return JSON.stringify(body);
}

export interface ChallengeAnswer {
  readonly outcome: OutcomeClass;
  readonly httpStatus?: number;
  readonly detail?: string | undefined;
  readonly response?: string;
}

/** Undefined if the endpoint returned the challenge. */
export function problemOfAnswer(answer: ChallengeAnswer, challenge: string): string | undefined {
  const { outcome, httpStatus, detail, response = '' } = answer;
  if (httpStatus === undefined)
    return refusalDetail('endpointSilent', { outcome: detail ? `${outcome} (${detail})` : outcome });
  if (outcome === 'SUCCESS' && echoed(response) === challenge) return undefined;
  return refusalDetail('endpointAnsweredOtherwise', { status: httpStatus, response: shown(response) });
}

function echoed(response: string): unknown {
  try {
    const json: unknown = JSON.parse(response);
    return typeof json === 'object' && json !== null && 'challenge' in json ? json.challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The server is not verified, so its response is truncated and shown without control characters on one line. */
function shown(response: string): string {
  const line = response.replace(/[\s\p{C}]+/gu, ' ').trim();
  if (line === '') return 'an empty body';
  return line.length <= SHOWN_CHARACTERS ? line : `${line.slice(0, SHOWN_CHARACTERS)}…`;
}
