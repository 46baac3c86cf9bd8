import { MAX_URL_LENGTH, refusalDetail, type Environment, type REFUSAL_DETAILS } from '@pay/contracts';

const LOWEST_UNPRIVILEGED_PORT = 1_024;

/**
 * Host and port: two ports are two receivers, because a developer runs several shops on one machine. A trailing dot
 * names the same host.
 */
export function receiverOf(url: string): string {
  const { protocol, port } = new URL(url);
  return `${hostOf(url)}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** The host alone: the rate of requests protects a machine, which serves all its ports. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

/**
 * White space, control characters, half surrogates: the URL parser drops or replaces them, and a merchant did not mean
 * them.
 */
const UNFIT = /[\s\p{C}]/u;

export type UrlCheck = { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly problem: string };

/** Every rule about an endpoint's URL that its text alone decides. The address guard checks where it points to. */
export function checkEndpointUrl(text: string, environment: Environment): UrlCheck {
  const refuse = (problem: keyof typeof REFUSAL_DETAILS): UrlCheck => ({
    ok: false,
    problem: refusalDetail(problem, { most: MAX_URL_LENGTH }),
  });
  if (text.length > MAX_URL_LENGTH) return refuse('urlTooLong');
  if (UNFIT.test(text) || !URL.canParse(text)) return refuse('urlNotHttp');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('urlNotHttp');
  if (environment === 'LIVE' && url.protocol !== 'https:') return refuse('urlNotHttps');
  if (url.username !== '' || url.password !== '') return refuse('urlHasUser');
  // `hash` is empty for a bare `#` too, so the text is asked.
  if (text.includes('#')) return refuse('urlHasFragment');
  // WHATWG drops the port when it is the default one of the protocol.
  if (url.port !== '' && url.port !== '80' && url.port !== '443' && Number(url.port) < LOWEST_UNPRIVILEGED_PORT) {
    return refuse('urlPort');
  }
  return { ok: true, url };
}
