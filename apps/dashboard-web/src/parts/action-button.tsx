import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import type { Permission } from '../api/operations';
import { useMay } from '../session/session-context';

interface ActionProps extends ButtonProps, Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> {
  /** The operation that the button, or the dialog that it opens, calls. */
  readonly action: Permission;
}

/** A button for users who may call its operation, hidden from others. */
export function ActionButton({ action, ...button }: ActionProps) {
  const may = useMay();
  return may(...action) ? <Button {...button} data-operation={action[0]} /> : null;
}

/** An action button of a row or a card, where several are side by side. */
export function RowButton(props: ActionProps) {
  return <ActionButton variant="default" size="sm" {...props} />;
}
