/** CPU time that work took in this process, in milliseconds: unlike the clock, it does not count what else runs on the machine. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
