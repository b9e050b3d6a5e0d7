import { settingsSchema } from '#adapters/settings.ts';

/**
 * Deletes an instance whose work is done, with its stored state, where the deployment says so: what counts is in its run. The caller
 * does not continue after that, so it is the last thing that an instance does. One that cannot be deleted does no harm.
 */
export async function deleteEndedInstanceIfWanted(
  env: object,
  workflow: Pick<Workflow, 'deleteBatch'>,
  id: string,
): Promise<void> {
  if (!settingsSchema.parse(env).DELETE_ENDED_INSTANCES) return;
  const { errors } = await workflow.deleteBatch([id]);
  for (const { message } of errors) console.warn(`the ended instance ${id} was not deleted: ${message}`);
}
