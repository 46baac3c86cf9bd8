import { Alert, Anchor, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { Environment, ExceptionDetails, IntentSnapshot } from '@pay/contracts';
import { Link } from 'wouter';
import { Facts, Identifier, None, Time, type Fact } from '../parts/facts';
import { StatusBadge } from '../parts/status-badge';
import { placeOf } from '../shell/places';
import { useWords } from '../text/language';
import { difference } from './difference';

interface SideBySideProps {
  readonly environment: Environment;
  readonly item: ExceptionDetails;
  readonly intent: IntentSnapshot | undefined;
}

/** What the SMS says beside what the intent expects; what does not agree is marked. */
export function SideBySide({ environment, item, intent }: SideBySideProps) {
  const { t, money } = useWords();
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
          <Title order={2} size="h4" mb="sm" id="sms-heading">
            {t.exceptions.sms}
          </Title>
          {sms === null ? <Text c="dimmed">{t.exceptions.unparsed}</Text> : <Facts facts={smsFacts} />}
        </Paper>
        <Paper withBorder p="md" component="section" aria-labelledby="intent-heading">
          <Title order={2} size="h4" mb="sm" id="intent-heading">
            {t.exceptions.intent}
          </Title>
          {intent === undefined ? (
            <Text c="dimmed">{t.exceptions.noIntent}</Text>
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
