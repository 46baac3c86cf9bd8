import { draft, type EventDraft } from '@pay/messaging';
import { announcementOf, type PublishedSms } from '../domain/sms-announcement';

export interface AnnouncedAs {
  readonly ingestedAt: Date;
  /** Time at which the published values became known. */
  readonly at: Date;
  /** Counts on per SMS event. */
  readonly sequence: number;
  /** It was published before, and no decision about it is stored. */
  readonly decisionMissing?: true;
}

/** The event with the parsed values of an SMS. */
export function announceSms(sms: PublishedSms, { ingestedAt, at, sequence, decisionMissing }: AnnouncedAs): EventDraft {
  const envelope = {
    environment: sms.environment,
    merchantId: sms.merchantId,
    aggregateId: sms.id,
    sequence,
    occurredAt: at.toISOString(),
  };
  const announcement = announcementOf(sms, ingestedAt);
  return announcement.type === 'sms.parsed'
    ? draft(announcement.type, {
        ...envelope,
        data: { ...announcement.data, ...(decisionMissing && { decisionMissing }) },
      })
    : draft(announcement.type, { ...envelope, data: announcement.data });
}
