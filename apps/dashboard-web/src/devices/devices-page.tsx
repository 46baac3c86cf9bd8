import { Group, Paper, Stack, Text } from '@mantine/core';
import type { DeviceResponse, DeviceStatus, Environment } from '@pay/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../parts/action-button';
import { None, Time } from '../parts/facts';
import { PageHead } from '../parts/page-head';
import { Message, PageFailure, PageLoading } from '../parts/page-states';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';
import { DeviceDialog, OPERATION_OF, type DeviceAction } from './device-dialog';

const REFETCH_MS = 15_000;
const TONES: Readonly<Record<DeviceStatus, Tone>> = {
  ONLINE: 'good',
  OFFLINE: 'bad',
  UNKNOWN: 'neutral',
  DISABLED: 'neutral',
};

interface Chosen {
  readonly action: DeviceAction;
  readonly device?: DeviceResponse;
}

/** The phones of one environment, with their battery and queue, pairing and disabling. */
export default function DevicesPage({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const list = useQuery({
    queryKey: ['devices', environment],
    queryFn: ({ signal }) => call('listDevices', { query: { environment, limit: '100' } }, signal),
    refetchInterval: REFETCH_MS,
  });
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
      {list.isPending ? (
        <PageLoading />
      ) : list.data === undefined ? (
        <PageFailure error={list.error} retry={() => void list.refetch()} />
      ) : list.data.data.length === 0 ? (
        <Message title={t.devices.empty}>{t.devices.emptyText}</Message>
      ) : (
        <Paper component="ul" className="card-list" bg="transparent">
          {list.data.data.map((device) => (
            <DeviceCard key={device.id} device={device} onAction={(action) => setChosen({ action, device })} />
          ))}
        </Paper>
      )}
      {chosen === undefined ? null : (
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
  readonly onAction: (action: DeviceAction) => void;
}

function DeviceCard({ device, onAction }: CardProps) {
  const { t, ago, count } = useWords();
  const call = useCall();
  const details = useQuery({
    queryKey: ['devices', 'details', device.id],
    queryFn: ({ signal }) => call('getDevice', { params: { id: device.id } }, signal),
    refetchInterval: REFETCH_MS,
  });
  const heartbeat = details.data?.lastHeartbeat ?? null;
  const actions: DeviceAction[] = device.isDisabled ? ['enable'] : ['pair', 'disable'];
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-device={device.name}>
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600}>{device.name}</Text>
          <ToneBadge tone={TONES[device.status]}>{t.devices.statuses[device.status]}</ToneBadge>
        </Group>
        <Group gap="xs">
          {actions.map((action) => (
            <ActionButton
              key={action}
              action={[OPERATION_OF[action]]}
              variant="default"
              size="sm"
              onClick={() => onAction(action)}
            >
              {t.devices.actions[action]}
            </ActionButton>
          ))}
        </Group>
      </Group>
      <Stack gap={0} mt={4}>
        <Text size="sm" c="dimmed">
          {t.devices.lastSeen}:{' '}
          {device.lastSeenAt === null ? (
            <None />
          ) : (
            <>
              {ago(device.lastSeenAt)} (<Time at={device.lastSeenAt} />)
            </>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {t.devices.paired}: {device.pairedAt === null ? <None /> : <Time at={device.pairedAt} />}
        </Text>
        {heartbeat === null ? null : (
          <Text size="sm" c="dimmed">
            {heartbeat.batteryPercent === null ? '' : `${t.devices.battery(count(heartbeat.batteryPercent))} · `}
            {heartbeat.queueDepth === null ? '' : t.devices.queue(count(heartbeat.queueDepth))}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
