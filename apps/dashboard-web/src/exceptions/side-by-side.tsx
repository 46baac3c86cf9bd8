import { Alert, Anchor, Box, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Environment, ExceptionDetails, IntentSnapshot } from '@pay/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Facts, Identifier, None, Time, type Fact } from '../parts/facts';
import { Pending } from '../parts/page-states';
import { StatusBadge } from '../parts/status-badge';
import { Heading } from '../parts/typography';
import { useMay } from '../session/session-context';
import { placeOf } from '../parts/places';
import { SmsText } from '../sms/sms-text';
import { useWords } from '../text/language';
import { difference } from './difference';

interface SideBySideProps {
  readonly environment: Environment;
  readonly item: ExceptionDetails;
  /** The request for the intent, which is made if the exception has one. */
  readonly intent: UseQueryResult<{ readonly intent: IntentSnapshot }>;
}

/** The values of the SMS beside those of the intent, with differences marked. */
export function SideBySide({ environment, item, intent: request }: SideBySideProps) {
  const { t, money } = useWords();
  const may = useMay();
  const intent = request.data?.intent;
  const { money: sms, checks } = item;
  const apart =
    item.expectedAmount !== null && item.receivedAmount !== null
      ? difference(item.expectedAmount, item.receivedAmount)
      : undefined;
  const text = (value: string | null | undefined) => value ?? <None />;
  const fails = (name: keyof NonNullable<typeof checks>) => checks?.[name] === 'fail';

  const smsFacts: Fact[] =
    sms === null
      ? []
      : [
          {
            name: t.fields.received,
            value: item.receivedAmount === null ? <None /> : money(item.receivedAmount),
            differs: fails('amount'),
          },
          { name: t.fields.reference, value: text(sms.reference), differs: fails('reference') },
          { name: t.fields.method, value: t.methods[sms.paymentMethod], differs: fails('method') },
          { name: t.fields.receiver, value: text(sms.receiverMsisdn), differs: fails('receiver') },
          { name: t.fields.payer, value: text(sms.payerMsisdn) },
          {
            name: t.fields.trxId,
            value: <Identifier text={sms.trxId} name={t.fields.trxId} />,
            differs: fails('reuse'),
          },
          { name: t.fields.providerTime, value: <Time at={sms.providerTime} /> },
          { name: t.fields.arrived, value: <Time at={sms.ingestedAt} />, differs: fails('expiry') },
        ];
  const intentFacts: Fact[] =
    intent === undefined
      ? []
      : [
          { name: t.fields.expected, value: money(intent.amount), differs: fails('amount') },
          { name: t.fields.reference, value: intent.customerReference, differs: fails('reference') },
          {
            name: t.fields.method,
            value: intent.paymentMethod === null ? t.fields.notChosen : t.methods[intent.paymentMethod],
            differs: fails('method'),
          },
          { name: t.fields.receiver, value: text(intent.receiverMsisdn), differs: fails('receiver') },
          { name: t.fields.merchantReference, value: text(intent.merchantReference) },
          { name: t.fields.status, value: <StatusBadge status={intent.status} /> },
          { name: t.fields.created, value: <Time at={intent.createdAt} /> },
          { name: t.fields.expires, value: <Time at={intent.expiresAt} />, differs: fails('expiry') },
        ];

  return (
    <>
      {apart === undefined ? null : (
        <Alert color="orange" mb="md" data-testid="difference">
          <Text fw={600}>
            {apart.isMore
              ? t.exceptions.differencePositive(money(apart.amount))
              : t.exceptions.differenceNegative(money(apart.amount))}
          </Text>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} mb="md">
        <Paper withBorder p="md" component="section" aria-labelledby="sms-heading">
          <Heading mb="sm" id="sms-heading">
            {t.exceptions.sms}
          </Heading>
          {sms === null ? (
            <Text c="dimmed" mb="sm">
              {t.exceptions.unparsed}
            </Text>
          ) : (
            <Facts facts={smsFacts} />
          )}
          {may('getSmsEventText') ? (
            <Box mt="sm">
              <SmsText id={item.smsEventId} />
            </Box>
          ) : null}
          <Anchor component={Link} href={placeOf(environment, 'sms', item.smsEventId)} mt="sm" display="inline-block">
            {t.exceptions.openSms}
          </Anchor>
        </Paper>
        <Paper withBorder p="md" component="section" aria-labelledby="intent-heading">
          <Heading mb="sm" id="intent-heading">
            {t.exceptions.intent}
          </Heading>
          {item.paymentIntentId === null ? (
            <Text c="dimmed">{t.exceptions.noIntent}</Text>
          ) : intent === undefined ? (
            <Pending query={request} />
          ) : (
            <>
              <Facts facts={intentFacts} />
              <Anchor
                component={Link}
                href={placeOf(environment, 'payments', intent.id)}
                mt="sm"
                display="inline-block"
              >
                {t.exceptions.openPayment}
              </Anchor>
            </>
          )}
        </Paper>
      </SimpleGrid>
    </>
  );
}
