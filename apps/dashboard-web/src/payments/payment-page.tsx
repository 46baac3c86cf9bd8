import { Alert, Button, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Environment, EvidenceFile } from '@pay/contracts';
import { DoubtfulPayment } from '../parts/doubtful-payment';
import { Facts, Identifier, None, Time, type Fact } from '../parts/facts';
import { PageHead } from '../parts/page-head';
import { Pending } from '../parts/page-states';
import { saveAs } from '../parts/save-file';
import { StatusBadge } from '../parts/status-badge';
import { Heading } from '../parts/typography';
import { WrongEnvironment } from '../parts/wrong-environment';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { isDoubtful } from './doubtful';
import { PaymentTimeline } from './payment-timeline';

const REFETCH_MS = 10_000;

/** One payment: its fields and everything that happened to it. */
export default function PaymentPage({ environment, id }: { readonly environment: Environment; readonly id: string }) {
  const { t, money } = useWords();
  const query = useOperation(['evidence-file', id], 'getEvidenceFile', { params: { id }, refetchInterval: REFETCH_MS });
  if (query.data === undefined) return <Pending query={query} />;
  const file = query.data;
  if (file.environment !== environment)
    return <WrongEnvironment environment={file.environment} place={['payments', id]} />;
  const { payment } = file;
  const back = { to: placeOf(environment, 'payments'), text: t.payments.back };

  return (
    <>
      <PageHead title={payment === null ? t.payments.title : money(payment.amount)} back={back}>
        {payment === null ? null : <StatusBadge status={payment.status} />}
      </PageHead>
      {file.missing.length === 0 ? null : (
        <Alert color="yellow" mb="md" role="status">
          {t.payments.missing(file.missing.map((part) => t.payments.parts[part]).join(', '))}
        </Alert>
      )}
      {isDoubtful(file) ? <DoubtfulPayment /> : null}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <div>
          {payment === null ? null : <PaymentFacts payment={payment} />}
          <Paper withBorder p="md" mt="md" component="section">
            <Text mb="sm">{t.payments.downloadHint}</Text>
            <Button variant="default" onClick={() => download(file)}>
              {t.payments.download}
            </Button>
          </Paper>
        </div>
        <Paper withBorder p="md" component="section">
          <Heading mb="md">{t.payments.timeline}</Heading>
          <PaymentTimeline file={file} />
        </Paper>
      </SimpleGrid>
    </>
  );
}

function PaymentFacts({ payment }: { readonly payment: NonNullable<EvidenceFile['payment']> }) {
  const { t, money } = useWords();
  const facts: Fact[] = [
    { name: t.fields.amount, value: money(payment.amount) },
    { name: t.fields.reference, value: <Identifier text={payment.customerReference} name={t.fields.reference} /> },
    { name: t.fields.merchantReference, value: payment.merchantReference ?? <None /> },
    {
      name: t.fields.method,
      value: payment.paymentMethod === null ? t.fields.notChosen : t.methods[payment.paymentMethod],
    },
    { name: t.fields.receiver, value: payment.receiverMsisdn ?? <None /> },
    { name: t.payments.customer, value: payment.customerId ?? <None /> },
    { name: t.fields.created, value: <Time at={payment.createdAt} /> },
    { name: t.fields.expires, value: <Time at={payment.expiresAt} /> },
    { name: t.fields.intentId, value: <Identifier text={payment.id} name={t.fields.intentId} /> },
    ...Object.entries(payment.metadata ?? {}).map(([key, value]) => ({
      name: `${t.payments.metadata}: ${key}`,
      value,
    })),
  ];
  return (
    <Paper withBorder p="md" component="section">
      <Facts facts={facts} />
    </Paper>
  );
}

/** The file as the API returned it. */
function download(file: EvidenceFile): void {
  const body = new Blob([JSON.stringify(file, undefined, 2)], { type: 'application/json' });
  saveAs(body, `evidence-${file.paymentIntentId}.json`);
}
