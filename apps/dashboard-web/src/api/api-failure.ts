/** A request that did not succeed: an error response of the API, or `network` if there was no response. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    /** One line per error. */
    message: string,
    readonly requestId: string | null = null,
  ) {
    super(message);
    this.name = 'ApiFailure';
  }

  static network(): ApiFailure {
    return new ApiFailure(0, 'network', 'The server could not be reached.');
  }

  /** The response ended before its end. */
  static interrupted(): ApiFailure {
    return new ApiFailure(0, 'interrupted', 'The response ended early.');
  }

  static async of(response: Response): Promise<ApiFailure> {
    const body = (await response.json().catch(() => undefined)) as
      { readonly code?: unknown; readonly message?: unknown } | undefined;
    const sentence = Array.isArray(body?.message) ? body.message.join('\n') : body?.message;
    return new ApiFailure(
      response.status,
      typeof body?.code === 'string' ? body.code : response.status === 400 ? 'VALIDATION' : 'INTERNAL_ERROR',
      typeof sentence === 'string' ? sentence : `The server answered ${response.status}.`,
      response.headers.get('x-request-id'),
    );
  }
}

/** A repeated attempt can succeed: the network or a service was unavailable. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiFailure && (error.status === 0 || error.status >= 500 || error.status === 429);
}
