import { z } from 'zod';
import { ROLES } from '../../role';
import { emailText } from '../email';
import { paymentMethodText } from '../request-body';
import { factTimeText, oneLineText } from '../request-values';
import { timestamp } from '../request-fields';

const MAX_NAME_LENGTH = 120;
export const name = (field: string) =>
  oneLineText(field, { max: MAX_NAME_LENGTH, missing: `${field} is required and must be a string` });

export const email = emailText('email', 'email is required and must be an e-mail address');

export const role = z.enum(ROLES, { error: `role is required and must be one of ${ROLES.join(', ')}` });

export const method = (field: string) => paymentMethodText(field, `${field} is required and must be a string`);

export const instant = (field: string) => factTimeText(field).transform((text) => new Date(text));

/** Version of a record, starting at 1. */
export const versioned = { version: z.int().positive(), createdAt: timestamp, updatedAt: timestamp };
