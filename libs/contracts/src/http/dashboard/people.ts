import { z } from 'zod';
import { ROLES } from '../../role';
import { requestBody } from '../request-body';
import { email, name, role, versioned } from './fields';
import { timestamp } from '../request-fields';

export const changeUserRequestSchema = requestBody({ role });

export const userResponseSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  isActive: z.boolean(),
  ...versioned,
});
export type UserResponse = z.infer<typeof userResponseSchema>;

export const createInvitationRequestSchema = requestBody({ email, name: name('name'), role });

export const invitationStatusSchema = z.enum(['PENDING', 'ACCEPTED', 'REVOKED', 'EXPIRED']);
export type InvitationStatus = z.infer<typeof invitationStatusSchema>;

export const invitationResponseSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  status: invitationStatusSchema,
  createdBy: z.uuid(),
  createdAt: timestamp,
  expiresAt: timestamp,
  acceptedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});
export type InvitationResponse = z.infer<typeof invitationResponseSchema>;
