/**
 * Returns the CPU time of work in this process, in milliseconds: unlike the clock, it ignores other load on the
 * machine.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
