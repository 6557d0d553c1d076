# Cost against the number of boxes. Usage: gnuplot -e "data='FILE'; picture='FILE.svg'" growth.gp
set terminal svg size 860,520 font "sans-serif,13" background "white"
set output picture
set title "One layer, all against all, every box moving: a tick on one core"
set xlabel "boxes"
set ylabel "microseconds a tick"
set logscale xy
set format x "%.0s%c"
set format y "%.0f"
set grid
set key outside right
# Columns are named in the first line, which is not to be read as a formula.
name(i) = system(sprintf("head -1 %s | cut -d' ' -f%d | tr _ ' '", data, i))
columns = words(system("head -1 ".data))
plot for [i=2:columns] data skip 1 using 1:i with linespoints linetype i linewidth (i == 2 ? 4 : 1.5) title name(i)
