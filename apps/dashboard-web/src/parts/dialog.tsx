import { Group, Modal } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Name of the close button; without one the dialog can only be left by its own buttons. */
  readonly closeLabel?: string;
  readonly children: ReactNode;
}

/** A modal dialog. Its title is no `header` element, which would be a second banner of the page. */
export function Dialog({ title, onClose, closeLabel, children }: DialogProps) {
  return (
    <Modal.Root opened onClose={onClose} centered closeOnEscape={closeLabel !== undefined}>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" px="md" pt="md">
          <Modal.Title fw={600}>{title}</Modal.Title>
          {closeLabel === undefined ? null : <Modal.CloseButton aria-label={closeLabel} />}
        </Group>
        <Modal.Body pt="sm">{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
