import { Group, Paper, Stack, Text } from '@mantine/core';
import type { DeviceResponse, DeviceStatus, Environment, ReceiverAccountResponse } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, RowButton } from '../parts/action-button';
import { None, Time } from '../parts/facts';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage, useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { Caption } from '../parts/typography';
import { useCall, useOperation } from '../session/session-context';
import { digits } from '../text/format';
import { useWords } from '../text/language';
import { DeviceDialog, OPERATION_OF, type DeviceAction } from './device-dialog';
import { ForwardersDialog } from './forwarders-dialog';
import { NumbersDialog } from './numbers-dialog';
import { ANY_SLOT, slotsOf } from './sims';
import { useDeviceWords } from './words';

const REFETCH_MS = 15_000;
const TONES: Readonly<Record<DeviceStatus, Tone>> = {
  ONLINE: 'good',
  OFFLINE: 'bad',
  UNKNOWN: 'neutral',
  DISABLED: 'neutral',
};

type Chosen =
  | { readonly action: DeviceAction; readonly device?: DeviceResponse }
  | { readonly action: 'numbers' | 'forwarders'; readonly device: DeviceResponse };

/** The phones of one environment, with their battery and queue, pairing and disabling. */
export default function DevicesPage({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const list = useKeysetList(
    ['devices', environment, 'pages'],
    async ({ after }, signal) =>
      asKeysetPage(await call('listDevices', { query: { environment, limit: PAGE_SIZE, page: after ?? '1' } }, signal)),
    REFETCH_MS,
  );
  const accounts = useWholeList(['receivers', environment], 'listReceiverAccounts', { query: { environment } });
  const active = (accounts.data?.data ?? []).filter(({ isActive }) => isActive);
  const close = () => {
    setChosen(undefined);
    void queries.invalidateQueries({ queryKey: ['devices'] });
  };
  return (
    <>
      <PageHead title={t.devices.title} subtitle={t.devices.subtitle}>
        <ActionButton action={['createDevice']} onClick={() => setChosen({ action: 'create' })}>
          {t.devices.actions.create}
        </ActionButton>
      </PageHead>
      <KeysetList list={list} empty={<Message title={t.devices.empty}>{t.devices.emptyText}</Message>}>
        {(devices) => (
          <Paper component="ul" className="card-list" bg="transparent">
            {devices.map((device) => (
              <DeviceCard
                key={device.id}
                device={device}
                accounts={accounts.data?.data}
                onAction={(action) => setChosen({ action, device })}
              />
            ))}
          </Paper>
        )}
      </KeysetList>
      {chosen === undefined ? null : chosen.action === 'numbers' ? (
        <NumbersDialog device={chosen.device} accounts={active} onClose={close} />
      ) : chosen.action === 'forwarders' ? (
        <ForwardersDialog device={chosen.device} onClose={close} />
      ) : (
        <DeviceDialog
          key={`${chosen.action} ${chosen.device?.id ?? ''}`}
          environment={environment}
          action={chosen.action}
          device={chosen.device}
          onClose={close}
        />
      )}
    </>
  );
}

interface CardProps {
  readonly device: DeviceResponse;
  /** Undefined until they are known. */
  readonly accounts: readonly ReceiverAccountResponse[] | undefined;
  readonly onAction: (action: DeviceAction | 'numbers' | 'forwarders') => void;
}

function DeviceCard({ device, accounts, onAction }: CardProps) {
  const { t, ago, count, language } = useWords();
  const w = useDeviceWords();
  const details = useOperation(['devices', 'details', device.id], 'getDevice', {
    params: { id: device.id },
    refetchInterval: REFETCH_MS,
  });
  const heartbeat = details.data?.lastHeartbeat ?? null;
  const slots = slotsOf(device.sims);
  const numbers = (accounts ?? []).flatMap(({ id, msisdn }) => {
    const slot = slots[id];
    if (slot === undefined) return [];
    return [slot === ANY_SLOT ? msisdn : `${msisdn} (${w.slot(digits(slot, language))})`];
  });
  const actions: DeviceAction[] = device.isDisabled ? ['enable'] : ['pair', 'disable'];
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-device={device.name}>
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>{device.name}</Text>
          <ToneBadge tone={TONES[device.status]}>{t.devices.statuses[device.status]}</ToneBadge>
        </Group>
        <Group gap="xs">
          {accounts === undefined ? null : (
            <RowButton action={['changeDevice']} onClick={() => onAction('numbers')}>
              {w.numbers}
            </RowButton>
          )}
          <RowButton action={['createForwarderHook', device.environment]} onClick={() => onAction('forwarders')}>
            {w.apps}
          </RowButton>
          {actions.map((action) => (
            <RowButton key={action} action={[OPERATION_OF[action]]} onClick={() => onAction(action)}>
              {t.devices.actions[action]}
            </RowButton>
          ))}
        </Group>
      </Group>
      <Stack gap={0} mt={4}>
        {device.status === 'UNKNOWN' ? <Text size="sm">{w.unknown}</Text> : null}
        <Caption>
          {t.devices.lastSeen}:{' '}
          {device.lastSeenAt === null ? (
            <None />
          ) : (
            <>
              {ago(device.lastSeenAt)} (<Time at={device.lastSeenAt} />)
            </>
          )}
        </Caption>
        <Caption>
          {t.devices.paired}: {device.pairedAt === null ? <None /> : <Time at={device.pairedAt} />}
        </Caption>
        {accounts === undefined ? null : (
          <Caption>
            {w.numbers}: {numbers.length === 0 ? <None /> : numbers.join(', ')}
          </Caption>
        )}
        {heartbeat === null ? null : (
          <Caption>
            {[
              ...(heartbeat.batteryPercent === null ? [] : [t.devices.battery(count(heartbeat.batteryPercent))]),
              ...(heartbeat.queueDepth === null ? [] : [t.devices.queue(count(heartbeat.queueDepth))]),
            ].join(' · ')}
          </Caption>
        )}
      </Stack>
    </Paper>
  );
}
