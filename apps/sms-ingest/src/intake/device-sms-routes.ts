import { incomingSmsBatchSchema, incomingSmsSchema, listSmsStatuses, receiveSmsEvents } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { operationServer, sentencesOf, ValidationError } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express, RequestHandler } from 'express';
import type { z } from 'zod';
import { listStatuses } from './list-statuses';
import { receiveSms, receiveSmsBatch, type ReceiveSmsDeps } from './receive-sms';

export interface DeviceSmsDeps extends ReceiveSmsDeps {
  /** Limits a phone that sends more than its share, before its body is read. */
  readonly deviceGuards: readonly RequestHandler[];
  readonly db: Queryable;
  readonly directory: Pick<Directory, 'findDevice' | 'merchant' | 'receiverAccounts'>;
}

/** `/v1/sms-events/*`: routes of phones. */
export function mountDeviceSms(app: Express, deps: DeviceSmsDeps): void {
  const serve = operationServer(app, {
    findDevice: (key) => deps.directory.findDevice(key),
    guard: (operation) => (operation === receiveSmsEvents ? deps.deviceGuards : []),
  });

  serve(receiveSmsEvents, async ({ device, body }) => {
    if (Object.hasOwn(body, 'messages')) {
      const { messages } = checked(incomingSmsBatchSchema, body);
      return { results: await receiveSmsBatch(deps, device, messages) };
    }
    return receiveSms(deps, device, checked(incomingSmsSchema, body));
  });
  serve(listSmsStatuses, ({ device, body }) => listStatuses(deps, device, body.ids));
}

function checked<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ValidationError(sentencesOf(result.error.issues, input));
}
