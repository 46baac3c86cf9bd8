import { listEvents, type FeedEventType, type feedPayloadSchemas } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { operationServer, type CredentialChecks } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import type { z } from 'zod';
import { readFeed } from './read-feed';

export interface EventRoutesDeps {
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'findApiKey'>;
  readonly perKey: NonNullable<CredentialChecks['guard']>;
}

type Payload = z.infer<(typeof feedPayloadSchemas)[FeedEventType]>;

export function mountEvents(app: Express, { db, directory, perKey }: EventRoutesDeps): void {
  const serve = operationServer(app, { findApiKey: directory.findApiKey, guard: perKey });

  serve(listEvents, async ({ caller, query }) => {
    const { events, nextCursor } = await readFeed(db, caller, query);
    const data = events.map(({ id, type, occurredAt, body }) => ({
      id,
      type,
      createdAt: occurredAt.toISOString(),
      // Bodies are stored as text, exactly as they were built.
      payload: JSON.parse(body) as Payload,
    }));
    return { data, nextCursor };
  });
}
