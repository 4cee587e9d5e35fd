// Threads add to one variable without order.
int main() {
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 100000; ++i)
    sum += i;
  return sum == 1 ? 1 : 0;
}
