/** z of a two-sided 95% interval: the standard normal quantile of 0.975. */
export const z95 = 1.9599639845400536;
